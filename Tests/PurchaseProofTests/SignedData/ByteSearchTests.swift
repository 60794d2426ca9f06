import Testing

@testable import PurchaseProof

@Suite struct ByteSearchTests {
    @Test(
        arguments: [
            (0..<5, 1), (2..<5, 3), (1..<2, 1), (4..<5, nil), (0..<1, nil), (3..<3, nil), (5..<9, nil), (0..<99, 1), (9..<99, nil),
        ] as [(Range<Int>, Int?)])
    func `a search returns the first position in the range, which is clamped to the bytes`(range: Range<Int>, place: Int?) {
        #expect(([7, 1, 2, 1, 9] as [UInt8]).first(1, in: range) == place)
        #expect(([] as [UInt8]).first(1, in: range) == nil)
    }

    @Test(
        arguments: [
            ([1, 2, 3], true), ([1, 2, 4], false), ([0, 2, 3], false), ([1, 2], false), ([1, 2, 3, 4], false), ([], false),
        ] as [([UInt8], Bool)])
    func `a slice holds exactly the same bytes`(bytes: [UInt8], isSame: Bool) {
        #expect(([0, 1, 2, 3, 4] as [UInt8])[1..<4].holds(bytes) == isSame)
        #expect(bytes[...].holds(bytes))
    }
}
