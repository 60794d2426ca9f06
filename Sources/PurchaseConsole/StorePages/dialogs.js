// Creates dialogs, notices, and views of signed data.

import { h, put, button, table, badge, tabs, code, definitionList } from "./dom.js";
import { decoded, isJWS, post } from "./api.js";

/** Shows a message for 12 seconds, or until the user closes it. */
export function notice(message, tone = "bad") {
    const place = document.getElementById("notices");
    const box = h("div", { class: `notice ${tone}` }, h("span", {}, message),
        h("button", { type: "button", "aria-label": "Close the message", onclick: () => box.remove() }, "Close"));
    place.append(box);
    while (place.children.length > 3) place.firstChild.remove();
    setTimeout(() => box.remove(), 12_000);
}

/** Announces a text to screen readers. */
export function announce(text) {
    document.getElementById("spoken").textContent = text;
}

/** Runs an operation and shows the message of an error. Meanwhile, `element` is busy, ignores clicks, and keeps the focus. */
export async function run(operation, element) {
    if (element?.ariaBusy === "true") return undefined;
    if (element) element.ariaBusy = "true";
    try {
        return await operation();
    } catch (error) {
        notice(error.message);
        return undefined;
    } finally {
        if (element) element.ariaBusy = null;
    }
}

/** Creates a button that runs an operation, is busy meanwhile, and shows the message of an error. */
export function actionButton(label, operation, attributes = {}) {
    return button(label, (event) => run(operation, event.currentTarget), attributes);
}

export function openDialog(title, content, attributes = {}) {
    const id = `dialog-${Date.now()}`;
    const before = document.activeElement;
    const dialog = h("dialog", { "aria-labelledby": id, ...attributes },
        h("div", { class: "dialog-head" }, h("h2", { id }, title),
            h("button", { type: "button", class: "plain", "aria-label": "Close", onclick: () => dialog.close() }, "Close")),
        content);
    dialog.addEventListener("close", () => {
        dialog.remove();
        if (before?.isConnected) before.focus({ preventScroll: true });
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** Creates a form field: `{name, label, type?, options?, value?, hint?, required?, list?, min?, max?, step?, inputmode?}`. */
export function field(each) {
    const id = `field-${each.name}-${(field.count = (field.count ?? 0) + 1)}`;
    const common = { id, name: each.name, required: each.required, "aria-describedby": each.hint && `${id}-hint` };
    let input;
    if (each.options) {
        input = h("select", common, each.options.map(([value, label]) => h("option", { value }, label)));
        if (each.value !== undefined) input.value = String(each.value);
    } else if (each.type === "checkbox") {
        return h("div", { class: "field check" },
            h("label", { for: id }, h("input", { ...common, type: "checkbox", checked: each.value === true }), h("span", {}, each.label)),
            each.hint && h("p", { class: "hint", id: `${id}-hint` }, each.hint));
    } else {
        const list = each.list && h("datalist", { id: `${id}-list` }, each.list.map((value) => h("option", { value })));
        input = h("input", {
            ...common, type: each.type ?? "text", value: each.value ?? "", list: list && `${id}-list`, autocomplete: "off",
            min: each.min, max: each.max, step: each.step, placeholder: each.placeholder, accept: each.accept, inputmode: each.inputmode, spellcheck: "false",
        });
        if (list) input = [input, list];
    }
    return h("div", { class: "field" }, h("label", { for: id }, each.label), input,
        each.hint && h("p", { class: "hint", id: `${id}-hint` }, each.hint));
}

/** Returns the values of a form by field name: numbers for number fields, and no member for an empty field. */
export async function values(form, fields) {
    const result = {};
    for (const each of fields) {
        const input = form.elements.namedItem(each.name);
        if (each.type === "checkbox") result[each.name] = input.checked;
        else if (each.type === "file") {
            if (input.files[0]) result[each.name] = each.isBinary ? input.files[0] : await input.files[0].text();
        } else if (input.value.trim() !== "" || each.keepEmpty) {
            result[each.name] = each.type === "number" ? Number(input.value) : input.value.trim();
        }
    }
    return result;
}

/** Opens a dialog with form fields, and runs an operation with the values. After a failure, the dialog shows the error and stays open. */
export function ask(title, label, fields, operation, note) {
    const refusal = h("p", { class: "refusal", role: "alert" });
    const submit = h("button", { type: "submit", class: "main" }, label);
    const form = h("form", {
        method: "dialog",
        onsubmit: async (event) => {
            event.preventDefault();
            submit.disabled = true;
            refusal.textContent = "";
            try {
                await operation(await values(form, fields));
                dialog.close();
            } catch (error) {
                refusal.textContent = error.message;
            } finally {
                submit.disabled = false;
            }
        },
    }, note && h("p", { class: "note" }, note), fields.map(field), refusal, h("div", { class: "actions" }, submit));
    const dialog = openDialog(title, form, { class: "narrow" });
    return dialog;
}

export function copy(text, label = "Copy") {
    return button(label, async (event) => {
        const target = event.currentTarget;
        try {
            await navigator.clipboard.writeText(text);
            target.textContent = "Copied";
        } catch {
            target.textContent = "Copying is not allowed";
        }
        setTimeout(() => { target.textContent = label; }, 1500);
    }, { class: "plain", "data-focus": `${label} ${text.slice(0, 24)}` });
}

/** Returns whether a member of a payload is a date in milliseconds since 1970. */
const isDate = (name, value) => /date$/i.test(name) && typeof value === "number" && value > 1e11;

function displayValue(name, value) {
    if (isDate(name, value)) return `${new Date(value).toISOString().replace("T", " ").replace(".000Z", "")} UTC`;
    if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
    if (Array.isArray(value)) return code(value);
    if (typeof value === "object" && value !== null) return payloadFields(value);
    // Only the length of a nested JWS is shown, because an adjacent tab shows its decoded payload.
    if (isJWS(value)) return h("span", { class: "quiet" }, `JWS, ${value.length} characters`);
    return String(value);
}

/** Creates a list of the members of a decoded payload, one per line. */
export function payloadFields(payload) {
    const isLong = ([, value]) => typeof value === "object";
    return definitionList(Object.entries(payload).toSorted((a, b) => isLong(a) - isLong(b)).map(([name, value]) => [name, displayValue(name, value)]));
}

/** Creates tabs for a JWS: its payload as a list and as JSON, its header, and its compact form. */
export function signedTabs(signed, label = "JWS") {
    const { header, payload } = decoded(signed);
    const raw = { title: "Signed", draw: () => [copy(signed), code(signed)] };
    if (!payload) return tabs(label, [raw]);
    return tabs(label, [
        { title: "Payload", draw: () => payloadFields(payload) },
        { title: "JSON", draw: () => [copy(JSON.stringify(payload, null, 2)), code(payload)] },
        { title: "Header", draw: () => code({ ...header, x5c: header.x5c?.map((each) => `${each.slice(0, 48)}… (${each.length} characters)`) }) },
        { title: "Verification", draw: () => verification(signed) },
        raw,
    ]);
}

/** The names of the results of a verification and of its steps, and the class of their badges. */
const verdicts = {
    verified: ["Verified", "good"], refused: ["Refused", "bad"], passed: ["passed", "good"], failed: ["failed", "bad"],
    indeterminate: ["indeterminate", "warm"], skipped: ["does not apply", "calm"],
};

/** Lets the store verify a JWS or a receipt in base64, and shows the result with its steps, and the content of a verified receipt. */
export function verification(text) {
    const place = h("div", { "aria-live": "polite" }, h("p", { class: "note" }, "Verifying …"));
    post`explain`({ text }).then(({ explanation, receipt }) => put(place,
        h("p", { class: "verdict" }, badge(...verdicts[explanation.result]), " ", explanation.message ?? "The data is signed under this store’s root."),
        table("Steps of the verification", [
            { title: "Step", class: "name", cell: (step) => step.name },
            { title: "Status", cell: (step) => badge(...verdicts[step.status]) },
            { title: "Value and rule", class: "more-text", cell: (step) => [h("span", {}, step.observed), h("span", { class: "quiet rule" }, step.rule)] },
        ], explanation.steps),
        receipt && payloadFields(receipt)),
    (error) => put(place, h("p", { class: "refusal" }, error.message)));
    return place;
}
