import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA"), ([0, 0], "AAA"), ([0, 0, 0], "AAAA"), ([0xFB, 0xFF], "-_8"), (Array("hello".utf8), "aGVsbG8"),
        ] as [([UInt8], String)])
    func `bytes and text convert to each other`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text.utf8) == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AAB", "AA==", "AA=", "+A", "/A", "A A", "AA\n", "ÄA", "\0A"])
    func `a non-canonical encoding is refused`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func `encoded bytes are decoded`() {
        var random = SeededRandom(seed: 5)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }
}
