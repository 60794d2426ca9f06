import Testing
import WireServer

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            (nil, 100, ByteRange.whole),
            ("bytes=0-0", 100, .part(0..<1)),
            ("bytes=0-9", 100, .part(0..<10)),
            ("BYTES=10-", 100, .part(10..<100)),
            ("bytes=99-", 100, .part(99..<100)),
            ("bytes=90-1000", 100, .part(90..<100)),
            ("bytes=5-99999999999999999999999", 100, .part(5..<100)),
            ("bytes=-1", 100, .part(99..<100)),
            ("bytes=-500", 1000, .part(500..<1000)),
            ("bytes=-500", 100, .part(0..<100)),
            ("bytes=-99999999999999999999999", 100, .part(0..<100)),
            ("bytes=100-", 100, .unsatisfiable),
            ("bytes=100-200", 100, .unsatisfiable),
            ("bytes=99999999999999999999999-", 100, .unsatisfiable),
            ("bytes=9223372036854775807-9223372036854775807", 100, .unsatisfiable),
            ("bytes=-0", 100, .unsatisfiable),
            ("bytes=0-", 0, .unsatisfiable),
            ("bytes=-5", 0, .unsatisfiable),
            ("bytes=0-9,20-29", 100, .several),
            ("bytes=0-0,-1", 100, .several),
            ("bytes=0-9,", 100, .several),
            ("bytes=,", 100, .several),
            ("items=0-9,20-29", 100, .whole),
            ("bytes=9-0", 100, .whole),
            ("bytes=-", 100, .whole),
            ("bytes=", 100, .whole),
            ("bytes", 100, .whole),
            ("bytes=a-b", 100, .whole),
            ("bytes=+1-2", 100, .whole),
            ("bytes=1--2", 100, .whole),
            ("bytes=1-2-3", 100, .whole),
            ("bytes=0x1-2", 100, .whole),
            ("bytes=١-٢", 100, .whole),
            ("items=0-9", 100, .whole),
            ("", 100, .whole),
        ] as [(String?, Int64, ByteRange)])
    func `a Range header is parsed according to RFC 9110`(_ header: String?, _ length: Int64, _ range: ByteRange) {
        #expect(ByteRange(header: header, length: length) == range)
    }
}
