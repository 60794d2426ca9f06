// What each app sells, and how the app is set up.

import { h, put, button, table, growing, badge, empty, facts } from "./dom.js";
import { get, post } from "./api.js";
import { ask, act } from "./dialogs.js";
import { money, period, offers, discounts, count } from "./words.js";
import { buy } from "./buying.js";

export const title = "Catalog";

let chosen;

export function appSettings(app, isNew = false) {
    ask(isNew ? "A further app" : `Change ${app.bundleID}`, isNew ? "Add" : "Change", [
        isNew && { name: "bundleID", label: "Bundle identifier", required: true, placeholder: "com.example.app" },
        { name: "storekit", label: isNew ? "A .storekit file" : "A .storekit file that takes the place of the catalog", type: "file", accept: ".storekit,.json,application/json" },
        { name: "appAppleID", label: "Number in the App Store", type: "number", min: 1, value: app?.appAppleID },
        { name: "version", label: "Version", value: app?.version },
        { name: "sharedSecret", label: "Shared secret of verifyReceipt", hint: app?.hasSharedSecret ? "There is one; empty leaves it." : "Empty for none." },
        { name: "sandboxURL", label: "Notifications of the sandbox go to", value: app?.sandboxURL ?? "", keepEmpty: true, placeholder: "http://127.0.0.1:8080/notifications" },
        { name: "productionURL", label: "Notifications of production go to", value: app?.productionURL ?? "", keepEmpty: true },
        { name: "notificationVersion", label: "Version of notifications", options: [[2, "2"], [1, "1, for old servers"]], value: app?.notificationVersion ?? 2 },
    ].filter(Boolean), ({ bundleID, storekit, notificationVersion, ...wish }) => {
        let catalog;
        if (storekit) {
            try { catalog = JSON.parse(storekit); } catch { throw new Error("The file is not JSON."); }
        }
        return post`apps/${bundleID ?? app.bundleID}`({ ...wish, storekit: catalog, notificationVersion: Number(notificationVersion) });
    });
}

const offerLine = (offer) => h("li", {}, badge(offers[offer.kind] ?? "Offer", "cool"), " ",
    offer.id && h("code", {}, offer.id), " ",
    offer.mode === "PAY_AS_YOU_GO" ? `${money(offer.price.milliunits, offer.price.currency)} a ${period(offer.period)}, ${count(offer.periodCount, "time")}`
        : `${discounts[offer.mode] ?? offer.mode}, ${offer.price.milliunits === 0 ? "" : `${money(offer.price.milliunits, offer.price.currency)} for `}`
            + (/^P1[DWMY]$/.test(offer.period) ? `a ${period(offer.period)}` : period(offer.period)),
    offer.eligibility?.length > 0 && h("span", { class: "quiet" }, ` for ${offer.eligibility.join(", ")}`));

function columns(isSubscription) {
    return [
        { title: "Product", class: "name", cell: (each) => h("div", {}, h("strong", {}, each.title || each.id), h("div", { class: "quiet small" }, each.id)) },
        !isSubscription && { title: "Kind", cell: (each) => each.type },
        isSubscription && { title: "Level", class: "number", cell: (each) => each.subscription?.level },
        { title: "Price", class: "number", cell: (each) => [money(each.price.milliunits, each.price.currency), each.subscription && h("span", { class: "quiet" }, ` a ${period(each.subscription.period)}`)] },
        isSubscription && { title: "Offers", cell: (each) => each.subscription?.offers.length > 0 && h("ul", { class: "plain-list" }, each.subscription.offers.map(offerLine)) },
        { title: "Family", cell: (each) => each.isFamilyShareable ? "shared" : "" },
        { title: "Do", class: "do", cell: (each) => act("Buy…", () => buy(undefined, each.id), { "aria-label": `Buy ${each.title || each.id}`, "data-focus": each.id }) },
    ].filter(Boolean);
}

function drawApp(app, products) {
    const groups = new Map();
    for (const product of products.filter((each) => each.subscription)) {
        const key = product.subscription.group;
        groups.set(key, [...(groups.get(key) ?? []), product]);
    }
    const rest = products.filter((each) => !each.subscription);
    return [
        h("section", { class: "card" },
            h("div", { class: "row" }, h("h2", {}, app.bundleID), h("span", { class: "grow" }), act("Settings…", () => appSettings(app))),
            facts([["Number", app.appAppleID], ["Version", app.version], ["Storefront", app.storefront],
                ["verifyReceipt", app.hasSharedSecret ? "demands a shared secret" : "accepts any password"],
                ["Notifications", `version ${app.notificationVersion}`], ["To the sandbox’s", app.sandboxURL ?? "nowhere"], ["To production’s", app.productionURL ?? "nowhere"]])),
        [...groups.values()].map((group) => h("section", {},
            h("h2", {}, group[0].subscription.groupName || "Subscriptions", h("span", { class: "quiet" }, ` group ${group[0].subscription.group}`)),
            table(`Subscriptions of the group ${group[0].subscription.groupName}`, columns(true), group.toSorted((a, b) => a.subscription.level - b.subscription.level)))),
        rest.length > 0 && h("section", {}, h("h2", {}, "Bought once"), growing(rest, 60, (rows) => table("Products", columns(false), rows))),
        products.length === 0 && empty("This app sells nothing yet.", "A .storekit file is its catalog: that of the Xcode project, or any other. ",
            act("Choose one…", () => appSettings(app))),
    ];
}

export async function show(view) {
    const place = h("div", {});
    const bar = h("div", { class: "choices", role: "group", "aria-label": "App" });
    view.refresh = async () => {
        const { apps } = await get`apps`;
        const app = apps.find((each) => each.bundleID === chosen) ?? apps[0];
        put(bar, apps.length > 1 && apps.map((each) => button(each.bundleID, () => { chosen = each.bundleID; view.refresh(); }, { "aria-pressed": String(each === app) })));
        if (!app) return put(place, empty("This store has no app yet."));
        const { products } = await get`apps/${app.bundleID}/products`;
        put(place, drawApp(app, products));
        note.textContent = `${count(products.length, "product")} of ${count(apps.length, "app")}`;
    };
    view.isInterested = () => false;
    const note = h("p", { class: "note" });
    put(view.place, h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Catalog"), note),
        h("div", { class: "actions" }, act("Further app…", async () => appSettings(undefined, true)), act("Read again", () => view.refresh()))), bar, place);
    await view.refresh();
}
