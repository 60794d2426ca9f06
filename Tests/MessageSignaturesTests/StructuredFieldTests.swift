import Testing

@testable import MessageSignatures

/// The syntax of structured fields (RFC 9651), with examples of its sections 3 and 4.
@Suite struct StructuredFieldTests {
    /// Returns the dictionary as text.
    private func serialized(_ dictionary: StructuredDictionary) -> String {
        dictionary.members.map { member in
            switch member.value {
            case .item(let item) where item.value == .boolean(true): member.key + item.parameters.serialized
            case .item(let item): "\(member.key)=\(item.serialized)"
            case .list(let list): "\(member.key)=\(list.serialized)"
            }
        }.joined(separator: ", ")
    }

    @Test(arguments: [
        ("", ""),
        ("   ", ""),
        (#"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#, #"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#),
        ("a=?0, b, c; foo=bar", "a=?0, b, c;foo=bar"),
        ("rating=1.5, feelings=(joy sadness)", "rating=1.5, feelings=(joy sadness)"),
        ("a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid", "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid"),
        (" a=1 \t, \t b=-999999999999999 ", "a=1, b=-999999999999999"),
        ("a=007, b=-0, c=1.50, d=0.001, e=-2.0, f=999999999999.999", "a=7, b=0, c=1.5, d=0.001, e=-2.0, f=999999999999.999"),
        (#"a="x \"y\" \\z""#, #"a="x \"y\" \\z""#),
        ("a=*/:!#$%&'*+-.^_`|~Z, *b-._*=?1", "a=*/:!#$%&'*+-.^_`|~Z, *b-._*"),
        (#"sig=( "@status"  "x";req );created=1;  keyid="k""#, #"sig=("@status" "x";req);created=1;keyid="k""#),
        ("a=(), b=::, c=:YQ==:, d=:YQ:, e=:+/+/:", "a=(), b=::, c=:YQ==:, d=:YQ==:, e=:+/+/:"),
    ])
    func `a dictionary is read, and written in the canonical form`(_ text: String, _ canonical: String) throws {
        let dictionary = try StructuredFieldParser.dictionary(text)
        #expect(serialized(dictionary) == canonical)
        #expect(try StructuredFieldParser.dictionary(canonical) == dictionary)
    }

    @Test(arguments: [
        ("a=1,", 4), ("a=1 b=2", 4), (",", 0), ("=1", 0), ("A=1", 0), ("1=1", 0), ("-a=1", 0), ("a=", 2), ("a= 1", 2), ("a =1", 2),
        ("a=(1", 4), ("a=(1,2)", 4), ("a=(1\t2)", 4), (#"a=("x""y")"#, 6), ("a=((1))", 3), ("a=)", 2),
        (#"a="x"#, 4), (#"a="\x""#, 4), ("a=\"é\"", 3), ("a=\"x\ty\"", 4), ("a=\"x\ny\"", 4), ("é=1", 0), ("a=1é", 3), ("a=1\n", 3),
        ("a=1234567890123456", 18), ("a=1234567890123.1", 17), ("a=1.", 4), ("a=1.2345", 8), ("a=-", 3), ("a=--1", 3), ("a=+1", 2),
        ("a=.5", 2), ("a=99999999999999999999999", 25), ("a=-9223372036854775808", 22), ("a=9223372036854775807.9", 21), ("a=0.0000", 8),
        ("a=1.-1", 4), ("a=1.2.3", 5), ("a=1e9", 3), ("a=0x1", 3), ("a;b=(1)", 4), ("a=1;;b", 4), ("a=(1;b", 6), ("a=(1))", 5),
        ("a=:YQ", 5), ("a=:YR==:", 2), ("a=:Y:", 2), ("a=:Y-_Y:", 2), ("a=:YQ=:", 2), ("a=:Y Q=:", 2), ("a=:====:", 2), ("a=?", 3),
        ("a=?2", 3),
        ("a=?true", 3), ("a;", 2), ("a;=1", 2), ("a;A", 2), ("a=@1659578233", 2), (#"a=%"x""#, 2), ("a=\u{0}", 2), ("\ta=1", 0),
    ])
    func `invalid syntax is refused with its place`(_ text: String, _ offset: Int) {
        #expect(throws: StructuredFieldError.malformed(offset: offset), "\(text)") { try StructuredFieldParser.dictionary(text) }
    }

    @Test(arguments: [("a=1, b=2, a=1", 10), ("a;x;y;x=1", 6), ("a=(1;x;x)", 7)])
    func `a duplicate key is refused, although RFC 9651 keeps the last one`(_ text: String, _ offset: Int) {
        #expect(throws: StructuredFieldError.duplicateKey(offset: offset)) { try StructuredFieldParser.dictionary(text) }
    }

    @Test func `sizes and numbers of elements are limited`() throws {
        let most = (0..<StructuredFieldParser.maximumElements).map { "a\($0)" }
        #expect(try StructuredFieldParser.dictionary(most.joined(separator: ",")).members.count == 32)
        let tooMany = StructuredFieldError.tooManyElements(limit: 32)
        #expect(throws: tooMany) { try StructuredFieldParser.dictionary((most + ["b"]).joined(separator: ",")) }
        #expect(throws: tooMany) { try StructuredFieldParser.dictionary("a=(\((most + ["b"]).joined(separator: " ")))") }
        #expect(throws: tooMany) { try StructuredFieldParser.dictionary("a;" + (most + ["b"]).joined(separator: ";")) }
        let largest = "a=\"" + String(repeating: "x", count: StructuredFieldParser.maximumSize - 4) + "\""
        #expect(try StructuredFieldParser.dictionary(largest).members.count == 1)
        #expect(throws: StructuredFieldError.tooLarge(limit: 8192)) { try StructuredFieldParser.dictionary(largest + " ") }
    }

    @Test(arguments: [
        "(", ")", ";", ",", "\"", ":", "?", "-", "9", "9.", "=", "\\", "*", "@", "%\"", " ", "\t", "\n", "\0", "é", "\u{1F600}", "a=(",
        "a;", "a,", "a=\"",
        "a=:A", "a=9,", "1 ", "b;", ";b", "(1 ",
    ])
    func `a field that repeats one part up to the maximum size is read or refused`(_ part: String) {
        for start in ["", "a=", "a=(", "a=1;b=", "a=\"", "a=:", "a=-"] {
            let count = (StructuredFieldParser.maximumSize - start.utf8.count) / part.utf8.count
            let text = start + String(repeating: part, count: count)
            do throws(StructuredFieldError) {
                #expect(try StructuredFieldParser.dictionary(text).members.count <= 1)
            } catch {
                switch error {
                case .malformed(let offset), .duplicateKey(let offset): #expect((0...text.utf8.count).contains(offset), "\(start)")
                case .tooManyElements(let limit): #expect(limit == StructuredFieldParser.maximumElements)
                case .tooLarge: Issue.record("\(start) is not larger than the maximum size.")
                }
            }
        }
    }

    @Test func `the value of a field joins its lines without white space at their ends`() {
        var fields = HTTPMessageFields([
            (name: "X-A", value: " 1 "), (name: "b", value: ""), (name: "x-a", value: "\t2\t "), (name: "X-a", value: ""),
        ])
        #expect(fields["x-A"] == "1, 2, ")
        #expect(fields["B"] == "")
        #expect(fields["c"] == nil)
        fields["X-A"] = "3"
        #expect(fields["x-a"] == "3")
        fields["x-a"] = nil
        #expect(fields == ["B": ""])
        #expect(fields.all.map(\.name) == ["b"])
    }
}
