// Elements made by scripts: attributes and text only, never markup.

/**
 * @param {string} tag
 * @param {Record<string, string | boolean>} attributes true sets an empty attribute, false leaves it out
 * @param {...(Node | string | null)} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
