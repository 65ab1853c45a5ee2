// In the page, before its tracks: the track of the address, the device or the lesson, so that nothing flashes.
{
  const known = ["plain", "deep", "both"];
  let track = new URLSearchParams(location.search).get("track");
  try {
    if (!known.includes(track)) track = localStorage.getItem("wk-track");
  } catch {
    // Nothing may be kept on this device.
  }
  const shown = document.currentScript?.previousElementSibling?.dataset.default;
  document.documentElement.dataset.wkTrack = known.includes(track) ? track : shown || "plain";
}
