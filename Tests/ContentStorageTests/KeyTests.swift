import Foundation
import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// Keys, prefixes, digests and media types.
@Suite struct KeyTests {
    @Test(arguments: [
        "a", "monkeys.pdf", "sha256/9f/9f86d081", "a/b/c/d", "a!-_.*'()z", "v1.2/Book..pdf", String(repeating: "k", count: 255),
        Array(repeating: "k", count: 512).joined(separator: "/"),
    ])
    func `a key consists of components with safe characters`(_ text: String) throws {
        #expect(try ContentKey(text).text == text)
        #expect(try ContentPrefix(text).text == text)
    }

    @Test(arguments: [
        ("", ContentKeyError.empty),
        ("..", .leadingDot), ("../etc/passwd", .leadingDot), ("a/../b", .leadingDot), ("a/..", .leadingDot), (".", .leadingDot),
        ("a/./b", .leadingDot), (".uploads/x", .leadingDot), ("a/.hidden", .leadingDot),
        ("/etc/passwd", .emptyComponent), ("a//b", .emptyComponent), ("a/", .emptyComponent), ("/", .emptyComponent),
        ("a b", .invalidCharacter), ("a\u{0}b", .invalidCharacter), ("a\nb", .invalidCharacter), ("a\\..\\b", .invalidCharacter),
        ("é", .invalidCharacter), ("e\u{301}", .invalidCharacter), ("a?b", .invalidCharacter), ("a%2e", .invalidCharacter),
        ("a#b", .invalidCharacter), ("~", .invalidCharacter), ("\u{2024}\u{2024}/x", .invalidCharacter),
        (String(repeating: "k", count: 256), .componentTooLong),
        (Array(repeating: "k", count: 513).joined(separator: "/"), .tooLong),
    ])
    func `a text that could leave the storage is not a key`(_ text: String, _ error: ContentKeyError) throws {
        #expect(throws: error) { try ContentKey(text) }
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ContentKey].self, from: json) }
    }

    @Test(arguments: [
        ("/", ContentKeyError.emptyComponent), ("//", .emptyComponent), ("a//", .emptyComponent), ("../", .leadingDot),
        ("a/.", .leadingDot),
        ("a b", .invalidCharacter), (String(repeating: "k", count: 1_025), .tooLong),
    ])
    func `a text that begins no key is not a prefix`(_ text: String, _ error: ContentKeyError) {
        #expect(throws: error) { try ContentPrefix(text) }
    }

    @Test(arguments: ["", "a", "a/", "sha256/9", "sha256/9f/"]) func `a prefix may be empty or end with a slash`(_ text: String) throws {
        #expect(try ContentPrefix(text).text == text)
    }

    @Test func `the key of a digest contains the digest`() throws {
        let digest = ContentDigest(of: Data("test".utf8))
        let hexadecimal = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        #expect(digest.hexadecimal == hexadecimal)
        let key = ContentKey(addressing: digest)
        #expect(key.text == "sha256/9f/\(hexadecimal)")
        #expect(try ContentKey(key.text) == key)
    }

    @Test func `keys are in the order of their bytes`() {
        let keys: [ContentKey] = ["b", "a/b", "a.txt", "a!", "B", "a"]
        #expect(keys.sorted().map(\.text) == ["B", "a", "a!", "a.txt", "a/b", "b"])
    }

    @Test(arguments: ["", "9f86", String(repeating: "G", count: 64), String(repeating: "A", count: 64), String(repeating: "a", count: 65)])
    func `a digest has 64 hexadecimal digits in lower case`(_ text: String) {
        #expect(ContentDigest(hexadecimal: text) == nil)
    }

    @Test(arguments: ["application/pdf", "text/plain; charset=utf-8", "image/svg+xml", "text/plain ;charset=\"x\""])
    func `a media type has a type and a subtype`(_ text: String) throws {
        #expect(try MediaType(text).text == text)
    }

    @Test(arguments: [
        "", "pdf", "/", "a/", "/b", "a/b/c", "a b/c", "a/b\r\nx-amz-acl: public-read", "a/b;\u{0}", "é/b", "a/b ",
        "a/" + String(repeating: "b", count: 254),
    ])
    func `a text that could add a header is not a media type`(_ text: String) {
        #expect(throws: MediaTypeError.self) { try MediaType(text) }
    }
}
