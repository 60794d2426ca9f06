import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        "http://127.0.0.1:8080", "https://buy.itunes.apple.com", "HTTP://Shop.example/path?a=b", "http://[::1]:1/", "http://a_b:65535",
        "http://127.0.0.1/%20", "http://127.0.0.1:8000/webhooks/appstore/",
    ])
    func `an HTTP or HTTPS URL with a valid host and port is accepted`(_ text: String) throws {
        let url = try #require(HTTPURL(text))
        #expect(url.isSecure == text.hasPrefix("https"))
        #expect(url.text == text && !url.base.hasSuffix("/"))
    }

    @Test(arguments: [
        "", "127.0.0.1:8080", "/path", "ftp://host/", "file:///etc/passwd", "http://", "http:///path", "http://:80/", "http://host:/",
        "http://host:0/", "http://host:-1/", "http://host:65536/", "http://host:99999999999999999999/", "http://host:8o80/",
        "http://host:٨٠/", "http://ho st/", "http://host/a b", "http://host/\u{0}", "http://host\u{0}.example/", "http://%00/",
        "http://%68ost/", "http://hôte/", "http://user@host/", "http://user:secret@host/", "http://@host/", "http://host/#part",
        "http://[::1", "http://[not-an-address]/", "http://[::1%25eth0]/", "http://host\\@other/", "http://host/\r\nX: y",
        "http+unix://%2Fsocket/", "http://\(String(repeating: "a", count: 254))/", "http://host/\(String(repeating: "a", count: 2_000))",
    ])
    func `an invalid or ambiguous URL is rejected`(_ text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test func `a URL is a string in JSON, and decoding rejects an invalid URL`() throws {
        let url = HTTPURL(loopbackPort: 1)
        #expect(try WireJSON.decode([HTTPURL].self, from: try WireJSON.encode([url])) == [url])
        let invalid = Data(#"["http://host:65536/"]"#.utf8)
        #expect(throws: DecodingError.self) { try WireJSON.decode([HTTPURL].self, from: invalid) }
    }
}
