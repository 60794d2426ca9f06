import Testing

@testable import PurchaseProof

@Suite struct JSONScannerTests {
    @Test(arguments: [
        "{}", " \t\r\n{ } ", #"{"a":1}"#, #"{"a":-0.5e+10,"b":[],"c":{},"d":[1,"x",null,true,false]}"#,
        #"{"a":"\"\\\/\b\f\n\r\tä\u00e4\ud83d\ude00"}"#,
        #"{"a":{"a":{"a":1}},"b":{"a":2}}"#, #"{"":1}"#, #"{"a":"ä€😀"}"#, #"{"a":0,"b":10,"c":-1,"d":1E5}"#,
    ])
    func `unambiguous JSON is accepted`(json: String) throws {
        _ = try JSONScanner(Array(json.utf8))
    }

    @Test func `members of the outermost object are found with their text`() throws {
        let json = #" {"a" : [1, {"x":2}] , "bc":"d" }"#
        let scanner = try JSONScanner(Array(json.utf8))
        #expect(scanner.members.map { scanner.text($0.name) } == ["a", "bc"])
        #expect(scanner.members.map { scanner.text($0.value) } == [#"[1, {"x":2}]"#, #""d""#])
    }

    @Test(arguments: [
        ("", ""), ("x", ""), ("[]", ""), ("1", ""), (#""a""#, ""), ("{", ""), ("{}x", ""), ("{}{}", ""), ("{}\0", ""), (#"{"a"}"#, ""),
        (#"{"a":}"#, ".a"), (#"{"a":1,}"#, ""), (#"{,"a":1}"#, ""), (#"{"a":1 "b":2}"#, ""), (#"{a:1}"#, ""), (#"{'a':1}"#, ""),
        (#"{"a":01}"#, ""), (#"{"a":+1}"#, ".a"), (#"{"a":1.}"#, ".a"), (#"{"a":.5}"#, ".a"), (#"{"a":1e}"#, ".a"), (#"{"a":-}"#, ".a"),
        (#"{"a":NaN}"#, ".a"), (#"{"a":tru}"#, ".a"), (#"{"a":nullx}"#, ""), (#"{"a":[1,]}"#, ".a[1]"), (#"{"a":[1}"#, ".a"),
        (#"{"a":"x}"#, ".a"), (#"{"a":"\x"}"#, ".a"), (#"{"a":"\u12"}"#, ".a"), (#"{"a":"\u12g4"}"#, ".a"), (#"{"a":"\ud800"}"#, ".a"),
        (#"{"a":"\udc00"}"#, ".a"), (#"{"a":"\ud800\u0041"}"#, ".a"), ("{\"a\":\"\n\"}", ".a"), (#"{"a":1,"a":2}"#, ".a"),
        (#"{"b":{"a":1,"c":0,"a":2}}"#, ".b.a"), (#"{"b":[{},{"a":1,"a":1}]}"#, ".b[1].a"), (#"{"\u0061":1}"#, ""), (#"{"ä":1}"#, ""),
        ("{\"S\u{212A}U\":1,\"SKU\":2}", ""), (#"{"a b":1,"a b":1}"#, ".?"), ("/**/{}", ""), ("{}//", ""), ("\u{FEFF}{}", ""),
    ])
    func `other text is refused at the place of the error`(json: String, path: String) {
        let fault = #expect(throws: JSONScanner.ScanError.self) { try JSONScanner(Array(json.utf8)) }
        #expect(fault?.path == path)
        #expect(fault?.reason == .malformed)
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `text that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: JSONScanner.ScanError.self) { try JSONScanner(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)) }
    }

    @Test func `the depth and the number of members are limited`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
        }
        func wide(_ count: Int) -> String { "{" + (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",") + "}" }
        _ = try JSONScanner(Array(nested(JSONScanner.maximumDepth).utf8))
        _ = try JSONScanner(Array(wide(JSONScanner.maximumMembers).utf8))
        let deep = #expect(throws: JSONScanner.ScanError.self) { try JSONScanner(Array(nested(JSONScanner.maximumDepth + 1).utf8)) }
        #expect(deep?.reason == .tooLarge(limit: JSONScanner.maximumDepth))
        let broad = #expect(throws: JSONScanner.ScanError.self) { try JSONScanner(Array(wide(JSONScanner.maximumMembers + 1).utf8)) }
        #expect(broad?.reason == .tooLarge(limit: JSONScanner.maximumMembers))
    }
}
