// The products and the settings of each app.

import { h, put, button, heading, choices, table, pagedList, badge, empty, definitionList } from "./dom.js";
import { get, post, address } from "./api.js";
import { ask, actionButton } from "./dialogs.js";
import { money, period, offers, discounts, count } from "./format.js";
import { parsedCatalog } from "./fields.js";
import { buy } from "./purchase.js";
import { editProduct, removeProduct } from "./product.js";

export const title = "Catalog";

let chosen;

export function appSettings(app, isNew = false) {
    ask(isNew ? "New app" : `Change ${app.bundleID}`, isNew ? "Add" : "Change", [
        isNew && { name: "bundleID", label: "Bundle ID", required: true, placeholder: "com.example.app" },
        { name: "storekit", label: isNew ? ".storekit file" : ".storekit file that replaces the catalog", type: "file", accept: ".storekit,.json,application/json" },
        { name: "appAppleID", label: "Apple ID of the app (appAppleId)", type: "number", min: 1, value: app?.appAppleID },
        { name: "version", label: "Version", value: app?.version },
        { name: "sharedSecret", label: "Shared secret of verifyReceipt", hint: app?.hasSharedSecret ? "Leave empty to keep the shared secret." : "Leave empty for no shared secret." },
        { name: "sandboxURL", label: "Sandbox notification URL", value: app?.sandboxURL ?? "", keepEmpty: true, placeholder: "http://127.0.0.1:8080/notifications" },
        { name: "productionURL", label: "Production notification URL", value: app?.productionURL ?? "", keepEmpty: true },
        { name: "notificationVersion", label: "Notification version", options: [[2, "2"], [1, "1 (deprecated)"]], value: app?.notificationVersion ?? 2 },
    ].filter(Boolean), ({ bundleID, storekit, notificationVersion, ...request }) => {
        const catalog = parsedCatalog(storekit);
        return post`apps/${bundleID ?? app.bundleID}`({ ...request, storekit: catalog, notificationVersion: Number(notificationVersion) });
    });
}

const offerLine = (offer) => h("li", {}, badge(offers[offer.kind] ?? "Offer", "cool"), " ",
    offer.id && h("code", {}, offer.id), " ",
    offer.mode === "PAY_AS_YOU_GO" ? `${money(offer.price.milliunits, offer.price.currency)} a ${period(offer.period)}, ${count(offer.periodCount, "time")}`
        : `${discounts[offer.mode] ?? offer.mode}, ${offer.price.milliunits === 0 ? "" : `${money(offer.price.milliunits, offer.price.currency)} for `}`
            + (/^P1[DWMY]$/.test(offer.period) ? `a ${period(offer.period)}` : period(offer.period)),
    offer.eligibility?.length > 0 && h("span", { class: "quiet" }, ` for ${offer.eligibility.join(", ")}`));

function columns(isSubscription, app, changed) {
    return [
        { title: "Product", class: "name", cell: (each) => h("div", {}, h("strong", {}, each.title || each.id), h("div", { class: "quiet small" }, each.id)) },
        !isSubscription && { title: "Kind", cell: (each) => each.type },
        isSubscription && { title: "Level", class: "number", cell: (each) => each.subscription?.level },
        { title: "Price", class: "number", cell: (each) => [money(each.price.milliunits, each.price.currency), each.subscription && h("span", { class: "quiet" }, ` a ${period(each.subscription.period)}`)] },
        isSubscription && { title: "Offers", cell: (each) => each.subscription?.offers.length > 0 && h("ul", { class: "plain-list" }, each.subscription.offers.map(offerLine)) },
        { title: "Family", cell: (each) => each.isFamilyShareable ? "shared" : "" },
        {
            title: "Actions", class: "do", cell: (each) => h("div", { class: "choices small" },
                actionButton("Buy…", () => buy(undefined, each.id), { "aria-label": `Buy ${each.title || each.id}`, "data-focus": each.id }),
                actionButton("Edit…", () => editProduct(app, each.id, changed), { "aria-label": `Edit ${each.title || each.id}`, "data-focus": `edit ${each.id}` }),
                button("Remove…", () => removeProduct(app, each.id, changed), { "aria-label": `Remove ${each.title || each.id}`, "data-focus": `remove ${each.id}` })),
        },
    ].filter(Boolean);
}

function drawApp(app, products, changed) {
    const groups = new Map();
    for (const product of products.filter((each) => each.subscription)) {
        const key = product.subscription.group;
        groups.set(key, [...(groups.get(key) ?? []), product]);
    }
    const rest = products.filter((each) => !each.subscription);
    return [
        h("section", { class: "card" },
            h("div", { class: "row" }, h("h2", {}, app.bundleID), h("span", { class: "grow" }),
                h("div", { class: "choices" }, h("a", { class: "press", href: address`apps/${app.bundleID}/storekit`, download: `${app.bundleID}.storekit` }, "Download .storekit"),
                    actionButton("Settings…", () => appSettings(app)),
                    actionButton("New product…", () => editProduct(app, undefined, changed), { class: "main" }))),
            definitionList([["appAppleId", app.appAppleID], ["Version", app.version], ["Storefront", `${app.storefront}, ${app.currency}`],
                ["verifyReceipt", app.hasSharedSecret ? "requires the shared secret" : "accepts any password"],
                ["Notifications", `version ${app.notificationVersion}`], ["Sandbox URL", app.sandboxURL ?? "none"], ["Production URL", app.productionURL ?? "none"]])),
        [...groups.values()].map((group) => h("section", {},
            h("h2", {}, group[0].subscription.groupName || "Subscriptions", h("span", { class: "quiet" }, ` group ${group[0].subscription.group}`)),
            table(`Subscriptions of the group ${group[0].subscription.groupName}`, columns(true, app, changed), group.toSorted((a, b) => a.subscription.level - b.subscription.level)))),
        rest.length > 0 && h("section", {}, h("h2", {}, "One-time purchases"), pagedList(rest, 60, (rows) => table("Products", columns(false, app, changed), rows))),
        products.length === 0 && empty("This app has no products yet.", "Choose a .storekit file as the catalog, for example the file of the Xcode project. ",
            actionButton("Choose a file…", () => appSettings(app)), " or ", actionButton("add a product…", () => editProduct(app, undefined, changed))),
    ];
}

export async function show(view) {
    const place = h("div", {});
    const bar = choices("App");
    const [bundleID, productID] = view.parameters;
    chosen = bundleID ?? chosen;
    view.refresh = async () => {
        const { apps } = await get`apps`;
        const app = apps.find((each) => each.bundleID === chosen) ?? apps[0];
        put(bar, apps.length > 1 && apps.map((each) => button(each.bundleID, () => { chosen = each.bundleID; view.refresh(); }, { "aria-pressed": String(each === app) })));
        if (!app) return put(place, empty("This store has no app yet."));
        const { products } = await get`apps/${app.bundleID}/products`;
        put(place, drawApp(app, products, view.refresh));
        note.textContent = `${count(products.length, "product")} of ${count(apps.length, "app")}`;
    };
    view.isInterested = () => false;
    const note = h("p", { class: "note" });
    put(view.place, heading(title, note, actionButton("New app…", async () => appSettings(undefined, true)), actionButton("Refresh", () => view.refresh())), bar, place);
    await view.refresh();
    // Focus the first control of the product that the URL names.
    const row = [...place.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === productID)?.closest("tr");
    if (row) view.drawn = () => { row.querySelector("button").focus(); row.classList.add("fresh"); };
}
