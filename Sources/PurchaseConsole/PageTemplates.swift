import Crypto
import Foundation
import Hummingbird
import Mustache

/// Renders pages from the templates and the style sheets in `Pages` and `Styles`, which the build embeds in the binary.
struct PageTemplates: Sendable {
    private let overview: MustacheTemplate
    private let unavailable: MustacheTemplate
    private let library: MustacheLibrary
    /// The style sheets shared with the store's console, and the style sheet of the server's pages.
    private let style = [
        PackageResources.tokens_css, PackageResources.base_css, PackageResources.layout_css, PackageResources.buttons_css,
        PackageResources.badges_css, PackageResources.tables_css, PackageResources.console_css,
    ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    private let styleSource: String

    init() throws {
        // Register the content type before the templates are parsed, because the first line of each template names the type.
        HTMLEscaping.register()
        overview = try MustacheTemplate(string: String(decoding: PackageResources.overview_mustache, as: UTF8.self))
        unavailable = try MustacheTemplate(string: String(decoding: PackageResources.unavailable_mustache, as: UTF8.self))
        library = MustacheLibrary(templates: [
            "page": try MustacheTemplate(string: String(decoding: PackageResources.page_mustache, as: UTF8.self))
        ])
        styleSource = "'sha256-\(Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString())'"
    }

    func overview(
        title: String, store: String?, transactions: PageTable<TransactionRow>, notifications: PageTable<NotificationRow>
    ) -> HTMLPage {
        var values: [String: Any] = ["title": title, "transactions": transactions, "notifications": notifications]
        values["store"] = store
        return page(.ok, overview, values)
    }

    func unavailable(title: String) -> HTMLPage {
        page(.serviceUnavailable, unavailable, ["title": title])
    }

    private func page(_ status: HTTPResponse.Status, _ template: MustacheTemplate, _ values: [String: Any]) -> HTMLPage {
        let values = values.merging(["style": style]) { value, _ in value }
        return HTMLPage(status: status, html: template.render(values, library: library), styleSource: styleSource)
    }
}

/// Escapes text for HTML, Unicode scalar by Unicode scalar.
///
/// The escaping of swift-mustache replaces whole characters only. A `<` that forms one character with a neighboring scalar, such as a
/// combining accent, would remain unescaped, although a browser reads the `<` as markup.
package struct HTMLEscaping: MustacheContentType {
    /// Makes the escaping available to templates whose first line is `{{% CONTENT_TYPE: CONSOLE}}`.
    package static func register() {
        MustacheContentTypes.register(HTMLEscaping(), named: "CONSOLE")
    }

    /// Returns the escaped text.
    package func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
