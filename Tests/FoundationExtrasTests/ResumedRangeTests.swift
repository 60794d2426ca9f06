import FoundationExtras
import Testing

@Suite struct ResumedRangeTests {
    @Test(arguments: [
        (200, ["Content-Length": "10"], 0, 10),
        (200, [:], 0, nil),
        (206, ["Content-Range": "bytes 5-9/10"], 5, 10),
        (206, ["Content-Range": "bytes 5-9/*"], 5, nil),
        (206, ["Content-Range": "bytes"], nil, nil),
        (206, ["Content-Range": "bytes 99999999999999999999-1/2"], nil, 2),
        (206, [:], nil, nil),
    ] as [(Int, [String: String], Int64?, Int64?)])
    func `a response states its part of the content`(
        _ status: Int, _ fields: [String: String], _ offset: Int64?, _ length: Int64?
    ) {
        let range = ResumedRange(status: status) { fields[$0] }
        #expect(range.offset == offset)
        #expect(range.length == length)
    }

    @Test(arguments: [(0, true), (5, true), (4, false), (nil, false)] as [(Int64?, Bool)])
    func `a part at another offset does not continue a download`(_ offset: Int64?, _ continues: Bool) {
        let range = ResumedRange(status: 206) { _ in offset.map { "bytes \($0)-9/10" } }
        #expect(range.continues(after: 5) == continues)
    }

    @Test func `a download resumes only with the entity tag of its bytes`() {
        #expect(ResumedRange.fields(after: 5, of: "\"a\"") == ["Range": "bytes=5-", "If-Range": "\"a\""])
        #expect(ResumedRange.fields(after: 5, of: nil).isEmpty)
        #expect(ResumedRange.fields(after: 0, of: "\"a\"").isEmpty)
    }
}
