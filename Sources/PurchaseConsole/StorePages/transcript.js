// Creates the text version of the timeline.

import { h, pagedList } from "./dom.js";
import { dated, when, count } from "./format.js";

/** Creates a collapsible list of the timeline's entries, filled when it is first opened because it can have hundreds of lines. */
export function transcript(lanes, isOpen = false) {
    const items = lanes.flatMap((lane) => lane.items.map((item) => ({ ...item, title: lane.title })))
        .toSorted((a, b) => b.from - a.from);
    const place = h("div", {});
    const details = h("details", {
        class: "transcript", open: isOpen, ontoggle: () => {
            if (!details.open || place.hasChildNodes()) return;
            place.append(pagedList(items, 60, (some) => h("ol", { class: "lines" }, some.map((item) => h("li", {},
                dated(item.from, when(item.from)),
                h("strong", {}, item.title), h("span", {}, item.text))))));
        },
    }, h("summary", {}, `As text: ${count(items.length, "entry", "entries")}`), place);
    return details;
}
