import Crypto
import Foundation
import Hummingbird
import Mustache

/// Renders pages from the templates and the style sheets in `Pages` and `Styles`, which the build embeds in the binary.
struct PageTemplates: Sendable {
    private let overview: MustacheTemplate
    private let unavailable: MustacheTemplate
    private let library: MustacheLibrary
    /// The components that the pages share with the store's page, and what only these pages have.
    private let style = [
        PackageResources.tokens_css, PackageResources.base_css, PackageResources.layout_css, PackageResources.buttons_css,
        PackageResources.badges_css, PackageResources.tables_css, PackageResources.console_css,
    ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    private let styleSource: String

    init() throws {
        // The first line of each template names this content type, so the type must be registered before the templates are parsed.
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
