import Mustache

/// Renders the page from the templates in `Pages`, which the build embeds in the binary.
struct PageTemplates: Sendable {
    private static let sources: [String: [UInt8]] = [
        "page": PackageResources.page_mustache, "full": PackageResources.full_mustache, "start": PackageResources.start_mustache,
        "content": PackageResources.content_mustache, "head": PackageResources.head_mustache,
        "stage": PackageResources.stage_mustache, "code": PackageResources.code_mustache, "phone": PackageResources.phone_mustache,
        "shop": PackageResources.shop_mustache, "filters": PackageResources.filters_mustache,
        "books": PackageResources.books_mustache, "magazine": PackageResources.magazine_mustache,
        "settings": PackageResources.settings_mustache, "sheet": PackageResources.sheet_mustache,
        "controls": PackageResources.controls_mustache, "card": PackageResources.card_mustache,
        "messages": PackageResources.messages_mustache, "tour": PackageResources.tour_mustache,
    ]

    private let libraries: [String: MustacheLibrary]

    init() throws {
        HTMLEscaping.register()
        libraries = try Dictionary(uniqueKeysWithValues: PageLanguage.allCases.map { ($0.rawValue, try Self.library(in: $0)) })
    }

    private static func library(in language: PageLanguage) throws -> MustacheLibrary {
        MustacheLibrary(
            templates: try sources.mapValues { source in
                let text = try language.translate(template: String(decoding: source, as: UTF8.self))
                return try MustacheTemplate(string: "{{% CONTENT_TYPE:SHOP}}\n" + text)
            })
    }

    /// Returns the whole page.
    func page(_ view: PageView) -> String { render("page", view, in: view.lang) }

    /// Returns the server-sent events (HTML, section 9.2) that update a browser: `page` with the whole content, or one event for each
    /// changed part; empty if nothing changed.
    ///
    /// Changed parts are rendered separately, because most changes concern one part, and rendering is the largest cost of the page.
    ///
    /// - Parameter shown: The view that the browser shows; nil if the view is unknown.
    func events(from shown: PageView?, to view: PageView) -> String {
        guard let shown, shown.lang == view.lang else { return event("page", "content", view) }
        return PageView.Part.allCases.filter { !view.isEqual($0, in: shown) }.map { event($0.rawValue, $0.rawValue, view) }.joined()
    }

    private func event(_ name: String, _ template: String, _ view: PageView) -> String {
        let lines = render(template, view, in: view.lang).split(separator: "\n", omittingEmptySubsequences: false)
        return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }

    /// Returns the page for a person who is not a visitor yet.
    ///
    /// A script of the page submits the form that starts a store and phones, so that crawlers, which run no scripts, start none.
    ///
    /// - Parameter script: The script of a link, which the new visit repeats. A link's form is submitted by a click only, because the new
    ///   visit ends another visit.
    func start(in language: PageLanguage, playing script: String? = nil) -> String {
        render("start", StartView(lang: language.rawValue, play: script), in: language.rawValue)
    }

    /// Returns the page for a person who can't visit because the limit of visitors is reached.
    func full(in language: PageLanguage) -> String { render("full", ["lang": language.rawValue], in: language.rawValue) }

    private func render(_ template: String, _ view: some Any, in language: String) -> String {
        libraries[language]?.render(view, withTemplate: template) ?? ""
    }
}

/// The values of the page for a person who is not a visitor yet.
private struct StartView: Sendable {
    let lang: String
    let play: String?
}

/// A file that the page loads.
struct ShopAsset: Sendable {
    let type: String
    let text: String

    static let files: [String: ShopAsset] = [
        "shop.css": ShopAsset("text/css; charset=utf-8", PackageResources.shop_css),
        "start.js": ShopAsset("text/javascript; charset=utf-8", PackageResources.start_js),
        "shop.js": ShopAsset("text/javascript; charset=utf-8", PackageResources.shop_js),
        "jungle.svg": ShopAsset("image/svg+xml", PackageResources.jungle_svg),
        "ladder.svg": ShopAsset("image/svg+xml", PackageResources.ladder_svg),
        "cover.svg": ShopAsset("image/svg+xml", PackageResources.cover_svg),
        "atlas.svg": ShopAsset("image/svg+xml", PackageResources.atlas_svg),
        "songs.svg": ShopAsset("image/svg+xml", PackageResources.songs_svg),
        "banana.svg": ShopAsset("image/svg+xml", PackageResources.banana_svg),
    ]

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        text = String(decoding: bytes, as: UTF8.self)
    }
}

/// Finds the members of a message by name, because the reflection of swift-mustache took half of a page's rendering time.
extension PageView.MessageView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "route": route
        case "title": title
        case "answer": answer
        case "isFailure": isFailure
        case "isOpen": isOpen
        case "request": request
        case "response": response
        case "verifications": verifications
        default: nil
        }
    }
}

/// Escapes text for HTML, Unicode scalar by Unicode scalar.
///
/// The escaping of swift-mustache compares whole characters. A `<` that forms one character with the next scalar, such as a combining
/// accent, would remain unescaped, while a browser reads it as markup.
private struct HTMLEscaping: MustacheContentType {
    /// Makes the escaping available to templates whose first line is `{{% CONTENT_TYPE:SHOP}}`.
    static func register() {
        MustacheContentTypes.register(HTMLEscaping(), named: "SHOP")
    }

    func escapeText(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
