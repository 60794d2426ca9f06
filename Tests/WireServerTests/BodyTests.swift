import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import WireServer

/// Tests of the characters in the JSON body of a request, and of repeated reads of the body.
@Suite struct BodyTests {
    @Test(arguments: [
        ("\u{0}", false), ("\u{8}", false), ("\u{b}", false), ("\u{1f}", false), ("\u{7f}", false), ("\u{80}", false), ("\u{9f}", false),
        (#"\u0000"#, false), (#"\u001F"#, false), (#"\u007f"#, false), (#"\u009f"#, false), (#"\b"#, false), (#"\f"#, false),
        (" ", true), ("!", true), ("[", true), ("]", true), ("^", true), ("~", true), ("\u{a0}", true), ("ÿ", true), ("€", true),
        ("😀", true), (#"\t"#, true), (#"\n"#, true), (#"\\b"#, true), (#"\\u0000"#, true), (#"\u00e9"#, true), (#"\ud83d\ude00"#, true),
    ])
    func `a body with a control character is refused wherever the character is`(_ text: String, _ isAccepted: Bool) throws {
        for count in 0...20 {
            for rest in [0, 1, 20] {
                let body = Data(#"{"a":"\#(String(repeating: "x", count: count))\#(text)\#(String(repeating: "y", count: rest))"}"#.utf8)
                if isAccepted {
                    #expect(try [String: String](body: body)["a"]?.hasPrefix(String(repeating: "x", count: count)) == true)
                } else {
                    #expect(throws: BodyRefusal.controlCharacter, "\(count) characters before") { try [String: String](body: body) }
                }
            }
        }
    }

    @Test func `an unfinished escape sequence is refused without a trap`() {
        for end in [#"\"#, #"\u"#, #"\u0"#, #"\u00"#, #"\u000"#] {
            for count in 0...9 {
                #expect(throws: BodyRefusal.self) {
                    try [String: String](body: Data("{\"\(String(repeating: "x", count: count))\(end)".utf8))
                }
            }
        }
    }

    @Test func `line breaks and tabs between members are accepted`() throws {
        #expect(try [String: Int](body: Data("{\r\n\t\"a\": 1,\n\t\"b\": 2\n}".utf8)) == ["a": 1, "b": 2])
    }

    @Test func `a body that is read again occupies its memory once`() async throws {
        let budget = BodyBudget(10)
        let share = BodyShare(of: budget)
        try await BodyBudget.$share.withValue(share) {
            let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: "12345678")))
            let first = try await request.wholeBody(upTo: 10)
            let second = try await request.wholeBody(upTo: 10)
            #expect(first == second && String(buffer: second) == "12345678")
            #expect(budget.reserve(2) && !budget.reserve(1))
            // Each read applies its own limit.
            await #expect(throws: BodyRefusal.tooLarge(limit: 7)) { try await request.wholeBody(upTo: 7) }
        }
        share.releaseAll()
        #expect(budget.reserve(8) && share.body == nil)
    }

    @Test func `a request that a handler sends in the same process has its own body`() async throws {
        func request(_ body: String) -> Request {
            let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
            return Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        }
        let middleware = BodyBudgetMiddleware<BasicRequestContext>.unlimited
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test"))
        let context = BasicRequestContext(source: source)
        _ = try await middleware.handle(request("outer"), context: context) { outer, context in
            let body = try await outer.wholeBody(upTo: 10)
            #expect(String(buffer: body) == "outer")
            return try await middleware.handle(request("inner"), context: context) { inner, _ in
                let body = try await inner.wholeBody(upTo: 10)
                #expect(String(buffer: body) == "inner")
                return Response(status: .ok)
            }
        }
    }
}
