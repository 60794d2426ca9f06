// Sends forms without loading the page again, and replaces parts of the page with the server's events.
"use strict";

const content = document.getElementById("content");
const note = (id) => document.getElementById(id);
const policy = window.trustedTypes ? trustedTypes.createPolicy("page", { createHTML: (text) => text }) : { createHTML: (text) => text };

/** Returns a selector for an element in the next content: its identifier, or its name and value with the action of its form. */
function key(element) {
    if (!element || !content.contains(element)) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (!element.name) return null;
    const action = element.form?.querySelector("[type=hidden][name=do]")?.value;
    const form = action ? `form:has(> [name=do][value="${CSS.escape(action)}"]) ` : "";
    // The value of a switch changes with each press.
    const hasValue = element.type === "radio" || (element.tagName === "BUTTON" && element.role !== "switch");
    const value = hasValue ? `[value="${CSS.escape(element.value)}"]` : "";
    return `${form}${element.tagName.toLowerCase()}[name="${CSS.escape(element.name)}"]${value}`;
}

/** The address of a local picture, which never leaves the browser; null while a picture of the page is shown. */
let ownPicture = null;

function showOwnPicture() {
    const picture = note("picture");
    if (picture && ownPicture) picture.src = ownPicture;
    content.querySelector(".file")?.removeAttribute("hidden");
}

function useOwnPicture(file) {
    if (!file?.type.startsWith("image/")) return;
    if (ownPicture) URL.revokeObjectURL(ownPicture);
    ownPicture = URL.createObjectURL(file);
    showOwnPicture();
}

/** The selector of the last element with the focus, because a button loses the focus when it is disabled. */
let lastFocused = null;

/** Replaces the content of a part of the page. */
function show(part, text) {
    const focused = document.activeElement === document.body ? lastFocused : key(document.activeElement);
    lastFocused = focused;
    const typed = new Map([...content.querySelectorAll("input[id], select, .sheet input")].map((field) => [key(field), field]));
    const sheet = content.querySelector("[name=sheet]")?.value;
    const scrolls = new Map([...content.querySelectorAll("[data-keep-scroll]")].map((part) => [part.id, part.scrollTop]));
    part.innerHTML = policy.createHTML(text);
    const isSameSheet = content.querySelector("[name=sheet]")?.value === sheet;
    for (const field of part.querySelectorAll("select, .sheet input:not([type=hidden])")) {
        const known = typed.get(key(field));
        if (!known || (field.closest(".sheet") && !isSameSheet)) continue;
        if (field.type === "checkbox" || field.type === "radio") field.checked = known.checked; else field.value = known.value;
    }
    showOwnPicture();
    for (const part of content.querySelectorAll("[data-keep-scroll]")) part.scrollTop = scrolls.get(part.id) ?? 0;
    const next = content.querySelector(".sheet") && !isSameSheet ? content.querySelector("#agree, #cancel") : focused && content.querySelector(focused);
    // If an element of another part has the focus, only a new sheet takes the focus.
    if (next !== document.activeElement && (document.activeElement === document.body || !isSameSheet)) next?.focus({ preventScroll: true });
}

document.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (event.submitter?.name === "picture") ownPicture = null;
    const fields = new URLSearchParams(new FormData(event.target, event.submitter));
    try {
        const response = await fetch("act", { method: "POST", body: fields, headers: { Accept: "text/event-stream" } });
        // A redirect means that the visitor's phones were deleted.
        if (response.redirected) location.reload();
        note("lost").hidden = events.readyState === EventSource.OPEN;
        note("rate-limited").hidden = response.status !== 429;
    } catch {
        note("lost").hidden = false;
    }
});

document.addEventListener("change", (event) => {
    if (event.target.id === "own-picture") useOwnPicture(event.target.files[0]);
});

document.addEventListener("dragover", (event) => {
    if (event.target.closest?.(".picture")) event.preventDefault();
});

document.addEventListener("drop", (event) => {
    if (!event.target.closest?.(".picture")) return;
    event.preventDefault();
    useOwnPicture(event.dataTransfer.files[0]);
});

document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") content.querySelector("#cancel")?.click();
});

const events = new EventSource("events");

// A button that is replaced while it is pressed receives no click, so new content waits until the button is released.
let isPressed = false;
let pressLimit;
const waiting = new Map();

function showWaiting() {
    if (isPressed) return;
    const parts = [...waiting.values()];
    waiting.clear();
    for (const { part, text } of parts) show(part(), text);
}

function release() {
    isPressed = false;
    clearTimeout(pressLimit);
    // The click event follows the pointerup event.
    setTimeout(showWaiting);
}

/** Shows the data of events in an element, which `part` finds after the delay, because another event may have replaced the element. */
function receive(name, part) {
    events.addEventListener(name, (event) => {
        // New content replaces waiting content of the same name, and a whole page replaces all waiting parts.
        if (name === "page") waiting.clear(); else waiting.delete(name);
        waiting.set(name, { part, text: event.data });
        showWaiting();
    });
}

addEventListener("pointerdown", () => {
    [isPressed, lastFocused] = [true, null];
    // A press whose end is never reported delays new content for ten seconds at most.
    clearTimeout(pressLimit);
    pressLimit = setTimeout(release, 10_000);
});
// After a press on a menu or a scroll bar, there can be no pointerup event.
addEventListener("pointermove", (event) => { if (isPressed && event.buttons === 0) release(); });
addEventListener("pointerup", release);
addEventListener("pointercancel", release);

receive("page", () => content);
for (const name of ["head", "stage", "controls", "messages", "code"]) receive(name, () => note(`part-${name}`));
events.addEventListener("error", () => {
    note(events.readyState === EventSource.CLOSED ? "deleted" : "lost").hidden = false;
});
showOwnPicture();
