// The display names of products, which the sections show with the identifiers below.

import { h } from "./dom.js";
import { productsOfAll } from "./purchase.js";

let names = new Map();

/** Reads the names of all products of the store. */
export async function readNames() {
    names = new Map((await productsOfAll()).map((each) => [each.id, each.title]));
}

/** Reads the names again if a product is unknown, such as a recently added product. */
export async function readNamesOf(ids) {
    if (ids.some((id) => id && !names.has(id))) await readNames();
}

/** Creates a product's display name with the last two parts of its identifier below; the whole identifier is the tooltip. */
export function product(id) {
    if (!id) return "";
    const name = names.get(id);
    return h("span", { class: "named", title: id }, name && h("span", {}, name), h("span", { class: name ? "quiet" : undefined }, id.split(".").slice(-2).join(".")));
}
