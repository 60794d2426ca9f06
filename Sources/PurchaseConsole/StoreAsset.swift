import Hummingbird

/// A file of the store's console, which is served with security headers.
struct StoreAsset: Sendable {
    /// The HTML document of the console.
    static let page = StoreAsset("text/html; charset=utf-8", PackageResources.store_html)

    /// The other files of the console, by their names in URLs.
    static let files: [String: StoreAsset] = [
        "sign-in": StoreAsset("text/html; charset=utf-8", PackageResources.signin_html),
        "tokens.css": style(PackageResources.tokens_css),
        "base.css": style(PackageResources.base_css),
        "layout.css": style(PackageResources.layout_css),
        "buttons.css": style(PackageResources.buttons_css),
        "badges.css": style(PackageResources.badges_css),
        "tables.css": style(PackageResources.tables_css),
        "cells.css": style(PackageResources.cells_css),
        "faults.css": style(PackageResources.faults_css),
        "forms.css": style(PackageResources.forms_css),
        "frame.css": style(PackageResources.frame_css),
        "narrow.css": style(PackageResources.narrow_css),
        "panels.css": style(PackageResources.panels_css),
        "search.css": style(PackageResources.search_css),
        "timeline.css": style(PackageResources.timeline_css),
        "icon.svg": StoreAsset("image/svg+xml", PackageResources.icon_svg),
        "api.js": script(PackageResources.api_js),
        "product.js": script(PackageResources.product_js),
        "purchase.js": script(PackageResources.purchase_js),
        "catalog.js": script(PackageResources.catalog_js),
        "transcript.js": script(PackageResources.transcript_js),
        "clock.js": script(PackageResources.clock_js),
        "account.js": script(PackageResources.account_js),
        "accounts.js": script(PackageResources.accounts_js),
        "devices.js": script(PackageResources.devices_js),
        "dialogs.js": script(PackageResources.dialogs_js),
        "dom.js": script(PackageResources.dom_js),
        "faults.js": script(PackageResources.faults_js),
        "fields.js": script(PackageResources.fields_js),
        "happenings.js": script(PackageResources.happenings_js),
        "items.js": script(PackageResources.items_js),
        "lanes.js": script(PackageResources.lanes_js),
        "live.js": script(PackageResources.live_js),
        "names.js": script(PackageResources.names_js),
        "notifications.js": script(PackageResources.notifications_js),
        "offers.js": script(PackageResources.offers_js),
        "requests.js": script(PackageResources.requests_js),
        "search.js": script(PackageResources.search_js),
        "signin.js": script(PackageResources.signin_js),
        "store.js": script(PackageResources.store_js),
        "stores.js": script(PackageResources.stores_js),
        "timeline.js": script(PackageResources.timeline_js),
        "transactions.js": script(PackageResources.transactions_js),
        "transaction.js": script(PackageResources.transaction_js),
        "pending.js": script(PackageResources.pending_js),
        "stream.js": script(PackageResources.stream_js),
        "format.js": script(PackageResources.format_js),
    ]

    private let type: String
    private let bytes: ByteBuffer

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = ByteBuffer(bytes: bytes)
    }

    private static func style(_ bytes: [UInt8]) -> StoreAsset {
        StoreAsset("text/css; charset=utf-8", bytes)
    }

    private static func script(_ bytes: [UInt8]) -> StoreAsset {
        StoreAsset("text/javascript; charset=utf-8", bytes)
    }

    /// The Content Security Policy: no external resources, no inline scripts or styles, and no strings that scripts turn into markup.
    private static let policy = """
        default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; object-src 'none'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    var response: Response {
        var headers: HTTPFields = [
            .contentType: type,
            .cacheControl: "no-store",
            .contentSecurityPolicy: Self.policy,
            .xContentTypeOptions: "nosniff",
        ]
        // Hummingbird exports `HTTPFields` but not `HTTPField`, so the type is named as the element of `HTTPFields`.
        if let referrerPolicy = HTTPFields.Element.Name("Referrer-Policy") {
            headers[referrerPolicy] = "no-referrer"
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
