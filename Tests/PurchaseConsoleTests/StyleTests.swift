import Hummingbird
import HummingbirdTesting
import PurchaseModel
import ServerProtocol
import Testing

@testable import PurchaseConsole

/// Tests of the style sheets that the store's page and the server's pages share.
@Suite struct StyleTests {
    /// Returns the body of the response to a request for a path.
    private func text(_ uri: String, of backoffice: any Backoffice = SampleBackoffice()) async throws -> String {
        let router = Router()
        StoreConsole().addRoutes(to: router.group("store"))
        try Console(backoffice).addRoutes(to: router.group("server"))
        return try await Application(router: router).test(.router) { client in
            String(buffer: try await client.execute(uri: uri, method: .get).body)
        }
    }

    /// Returns a page of the server in which every element of the templates occurs.
    private func serverPage() async throws -> String {
        let date = Timestamp(milliseconds: 0)
        let backoffice = SampleBackoffice(
            transactions: [BackofficeTransaction(date: date, id: "1", productID: "p", quantity: 1, owner: "o", state: "s")],
            notifications: [BackofficeNotification(date: date, uuid: "u", kind: "k", state: "s")])
        return try await text("/server/console", of: backoffice)
    }

    /// Returns the style sheets of the store's page, by their names.
    private func storeStyles() async throws -> [String: String] {
        var styles: [String: String] = [:]
        for name in StoreAsset.files.keys where name.hasSuffix(".css") {
            styles[name] = try await text("/store/console/\(name)")
        }
        return styles
    }

    private func style(of page: String) throws -> String {
        String(try #require(page.firstMatch(of: /(?s)<style>(.*)<\/style>/)).1)
    }

    @Test func `the server's pages and the store's page have the same shared style sheets`() async throws {
        let style = try style(of: try await serverPage())
        for name in ["tokens", "base", "layout", "buttons", "badges", "tables"] {
            let shared = try await text("/store/console/\(name).css")
            #expect(style.contains(shared), "\(name).css")
        }
    }

    @Test func `colors and dark mode are defined in one style sheet`() async throws {
        var styles = try await storeStyles()
        let tokens = try #require(styles["tokens.css"])
        styles["tokens.css"] = nil
        styles["server"] = try style(of: try await serverPage()).replacing(tokens, with: "")
        #expect(tokens.matches(of: /prefers-color-scheme/).count == 1)
        for (name, style) in styles {
            #expect(style.matches(of: /: [^;{]*(#[0-9a-f]{3,8}\b|rgb\(|hsl\()/).isEmpty, "\(name)")
            #expect(!style.contains("prefers-color-scheme"), "\(name)")
        }
    }

    @Test func `every custom property that a style sheet uses is defined`() async throws {
        let tokens = try await text("/store/console/tokens.css")
        let defined = Set(tokens.matches(of: /(--[a-z0-9-]+):/).map { $0.1 })
        var used = Set<Substring>()
        let all = try await Array(storeStyles().values) + [style(of: try await serverPage())]
        for style in all {
            for match in style.matches(of: /var\((--[a-z0-9-]+)\)/) {
                #expect(defined.contains(match.1), "\(match.1)")
                used.insert(match.1)
            }
        }
        #expect(defined.subtracting(used).isEmpty, "A custom property is not used.")
    }

    @Test func `every class in a page of the server has a rule in its style sheets`() async throws {
        let pages = [
            try await serverPage(), try await text("/server/console"), try await text("/server/console", of: FailingBackoffice()),
        ]
        for page in pages {
            let style = try style(of: page)
            let styled = Set(style.matches(of: /\.([a-z][a-z-]*)/).map { $0.1 })
            for match in page.matches(of: /\sclass="([a-z -]+)"/) {
                for name in match.1.split(separator: " ") {
                    #expect(styled.contains(name), "\(name)")
                }
            }
        }
    }
}
