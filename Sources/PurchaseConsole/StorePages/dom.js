// Creates HTML and SVG elements. Texts become text nodes only, so that data from the store cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    append(element, children);
    return element;
}

export function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === undefined || child === null || child === false || child === "") continue;
        element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
}

/** Creates an HTML element. */
export function h(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function s(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

let isPressed = false;
let pressLimit;
const waiting = [];

/** Waits until no button of a pointer is pressed: an element that is replaced or moved during the press receives no click. */
export function released() {
    return isPressed ? new Promise((resolve) => waiting.push(resolve)) : undefined;
}

function release() {
    isPressed = false;
    clearTimeout(pressLimit);
    // The click event follows the pointerup event.
    setTimeout(() => { if (!isPressed) for (const resolve of waiting.splice(0)) resolve(); });
}

addEventListener("pointerdown", () => {
    isPressed = true;
    // Limit the wait to 10 seconds, because the browser may never report the end of a press.
    clearTimeout(pressLimit);
    pressLimit = setTimeout(release, 10_000);
}, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, true);
// End the press here, too: after a press on a menu or a scroll bar, the pointerup event may be missing.
addEventListener("pointermove", (event) => { if (isPressed && event.buttons === 0) release(); }, true);

/** Replaces the children of an element; if a child had the focus, the new child with the same `data-focus` receives the focus. */
export function put(element, ...children) {
    const key = element.contains(document.activeElement) ? document.activeElement.dataset?.focus : undefined;
    element.replaceChildren();
    append(element, children);
    if (key) [...element.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === key)?.focus({ preventScroll: true });
}

export function button(label, action, attributes = {}) {
    return h("button", { type: "button", "data-focus": attributes["data-focus"] ?? label, ...attributes, onclick: action }, label);
}

/** Creates a table whose rows become cards on a narrow screen; each column is `{title, class?, cell(row)}`. */
export function table(caption, columns, rows, rowAttributes = () => ({})) {
    return h("div", { class: "sheet" }, h("table", {},
        h("caption", { class: "hidden" }, caption),
        h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.class }, column.class === "do" ? h("span", { class: "hidden" }, column.title) : column.title)))),
        h("tbody", {}, rows.map((row) => tableRow(columns, row, rowAttributes(row))))));
}

export function tableRow(columns, row, attributes = {}) {
    return h("tr", attributes, columns.map((column) => {
        const value = column.cell(row);
        const isEmpty = value === undefined || value === null || value === "";
        return h("td", { class: [column.class, isEmpty && "blank"].filter(Boolean).join(" ") || undefined, "data-label": column.title },
            h("div", {}, isEmpty ? "" : value));
    }));
}

/** Creates a list that shows `size` items and adds more on demand, so that a long list does not block the page. */
export function pagedList(items, size, draw) {
    const place = h("div", {});
    let shown = size;
    const show = () => {
        put(place, draw(items.slice(0, shown)), items.length > shown && h("p", { class: "more" },
            button(`Show ${Math.min(size, items.length - shown)} more of ${items.length - shown}`, () => { shown += size; show(); })));
    };
    show();
    return place;
}

/** Creates a group of buttons with a name. */
export function choices(label, ...children) {
    return h("div", { class: "choices", role: "group", "aria-label": label }, children);
}

export function empty(title, ...more) {
    return h("div", { class: "empty" }, h("p", {}, title), more.length > 0 && h("p", {}, ...more));
}

/** Creates tabs `{title, draw()}` as WAI-ARIA describes them: arrow keys move between tabs, and the Tab key stops at one tab only. */
export function tabs(label, list, chosen = 0, onchoose = () => {}) {
    const id = `tabs-${(tabs.count = (tabs.count ?? 0) + 1)}`;
    const panel = h("div", { role: "tabpanel", id: `${id}-panel`, tabindex: "0", class: "panel" });
    const buttons = list.map((tab, index) => h("button", {
        type: "button", role: "tab", id: `${id}-${index}`, "aria-controls": `${id}-panel`, "data-focus": `${label} ${tab.title}`,
        onclick: () => choose(index),
        onkeydown: (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: list.length - 1 - index }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            choose((index + step + list.length) % list.length);
            buttons[(index + step + list.length) % list.length].focus();
        },
    }, tab.title, tab.count !== undefined && [" ", h("span", { class: "count" }, tab.count)]));
    function choose(index) {
        buttons.forEach((each, other) => {
            each.setAttribute("aria-selected", String(other === index));
            each.tabIndex = other === index ? 0 : -1;
        });
        panel.setAttribute("aria-labelledby", `${id}-${index}`);
        put(panel, list[index].draw());
        onchoose(index);
    }
    choose(Math.min(chosen, list.length - 1));
    return h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": label }, buttons), panel);
}

/** Creates a label with the color of a state: `good`, `warm`, `bad`, `cool` or `calm`. */
export function badge(text, tone = "calm") {
    return h("span", { class: `badge ${tone}` }, text);
}

/** Creates the heading of a page; `note` is a text, or elements that change later. */
export function heading(title, note, ...actions) {
    return h("div", { class: "heading" },
        h("div", {}, h("h1", {}, title), typeof note === "string" && note ? h("p", { class: "note" }, note) : note),
        actions.length > 0 && h("div", { class: "actions" }, actions));
}

/** Creates a list of names and values, one pair per line; pairs without a value are omitted. */
export function definitionList(entries) {
    return h("dl", { class: "facts" }, entries.filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

export function code(value) {
    return h("pre", { class: "code", tabindex: "0" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));
}
