import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import PurchaseConsole

@Suite struct StoreConsoleTests {
    private func answer(_ uri: String) async throws -> TestResponse {
        let router = Router()
        StoreConsole().addRoutes(to: router)
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: uri, method: .get)
        }
    }

    private func text(_ uri: String) async throws -> String {
        let response = try await answer(uri)
        #expect(response.status == .ok)
        return String(buffer: response.body)
    }

    @Test(arguments: [("/console", "console/"), ("/console?token=t", "console/?token=t")])
    func `the path of the page without a slash redirects to the path with a slash`(_ uri: String, _ location: String) async throws {
        let response = try await answer(uri)
        #expect(response.status == .found)
        #expect(response.headers[.location] == location)
    }

    @Test func `every file that the page or a script references exists`() async throws {
        var pending = ["", "sign-in"]
        var seen: Set<String> = []
        while let name = pending.popLast() {
            guard seen.insert(name).inserted else { continue }
            let content = try await text("/console/\(name)")
            for match in content.matches(of: /(?:href|src)="([a-z]+\.(?:css|js|svg))"/) { pending.append(String(match.1)) }
            for match in content.matches(of: /from "\.\/([a-z]+\.js)"/) { pending.append(String(match.1)) }
        }
        #expect(seen == Set(StoreAsset.files.keys), "A served file is not referenced.")
    }

    @Test(arguments: ["StorePages", "Styles"])
    func `every file of the page is served with its content type`(_ folder: String) async throws {
        let types = [
            "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
            "svg": "image/svg+xml",
        ]
        let documents = ["store.html": "", "signin.html": "sign-in"]
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/PurchaseConsole/\(folder)")
        let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        try #require(!files.isEmpty)
        for file in files {
            let name = file.lastPathComponent
            let response = try await answer("/console/\(documents[name] ?? name)")
            #expect(response.status == .ok, "\(name)")
            #expect(response.headers[.contentType] == types[file.pathExtension], "\(name)")
            #expect(String(buffer: response.body) == (try String(contentsOf: file, encoding: .utf8)), "\(name)")
        }
    }

    @Test(arguments: ["..%2FPackage.swift", "%2e%2e", "store.html", "signin.html", "console.css", "overview.mustache", "Base.css"])
    func `an unknown file is not found`(_ name: String) async throws {
        let response = try await answer("/console/\(name)")
        #expect(response.status == .notFound)
    }

    @Test(arguments: ["/console/", "/console/sign-in", "/console/store.js", "/console/base.css", "/console/icon.svg"])
    func `the policy of every file forbids content from other origins`(_ uri: String) async throws {
        let headers = try await answer(uri).headers
        let policy = try #require(headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'self'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[.cacheControl] == "no-store")
    }

    @Test func `no script inserts markup, and no page has inline scripts or styles`() async throws {
        for page in ["", "sign-in"] {
            let page = try await text("/console/\(page)")
            #expect(page.matches(of: /<script(?! type="module" src=")|<style| style=| on[a-z]+=/).isEmpty)
        }
        for name in StoreAsset.files.keys where name.hasSuffix(".js") {
            let script = try await text("/console/\(name)")
            #expect(script.matches(of: /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|\.style\b/).isEmpty, "\(name)")
        }
    }
}
