// The time line in words: the same as the picture, for those who read it better so.

import { h, growing } from "./dom.js";
import { when, count } from "./words.js";

/** A list that opens; it is made when it is wanted, for there may be hundreds of lines. */
export function chronicle(lanes, isOpen = false) {
    const items = lanes.flatMap((lane) => lane.items.map((item) => ({ ...item, title: lane.title })))
        .toSorted((a, b) => b.from - a.from);
    const place = h("div", {});
    const details = h("details", {
        class: "chronicle", open: isOpen, ontoggle: () => {
            if (!details.open || place.hasChildNodes()) return;
            place.append(growing(items, 60, (some) => h("ol", { class: "lines" }, some.map((item) => h("li", {},
                h("time", { datetime: new Date(item.from).toISOString() }, when(item.from)),
                h("strong", {}, item.title), h("span", {}, item.text))))));
        },
    }, h("summary", {}, `In words: ${count(items.length, "entry", "entries")}`), place);
    return details;
}
