import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// The division of a file into parts.
@Suite struct UploadPlanTests {
    /// The length of a file, the preferred length of a part, the length of a part, and the number of parts.
    private static let plans: [(Int64, Int64, Int64, Int)] = [
        (0, 16 << 20, 16 << 20, 1),
        (1, 16 << 20, 16 << 20, 1),
        (-1, 16 << 20, 16 << 20, 1),
        (16 << 20, 16 << 20, 16 << 20, 1),
        ((16 << 20) + 1, 16 << 20, 16 << 20, 2),
        (12 << 20, 5 << 20, 5 << 20, 3),
        (12 << 20, 0, 5 << 20, 3),
        (12 << 20, .min, 5 << 20, 3),
        (12 << 20, (5 << 20) - 1, 5 << 20, 3),
        (12 << 20, .max, 5 << 30, 1),
        // 10,000 parts of 5 MiB fit exactly; one more byte needs longer parts.
        (50_000 << 20, 5 << 20, 5 << 20, 10_000),
        ((50_000 << 20) + 1, 5 << 20, 6 << 20, 8_334),
        (5 << 40, 16 << 20, 525 << 20, 9_987),
        (UploadPlan.maximumLength, 5 << 20, 5 << 30, 10_000),
        (UploadPlan.maximumLength - 1, 5 << 20, 5 << 30, 10_000),
    ]

    @Test(arguments: plans)
    func `a plan respects the limits of S3`(_ length: Int64, _ preferred: Int64, _ part: Int64, _ count: Int) throws {
        let plan = try UploadPlan(length: length, preferredPartLength: preferred)
        #expect(plan.partLength == part && plan.partCount == count && plan.hasSinglePart == (count == 1))
        #expect(plan.parts.count == count)
        // The parts cover the file without gaps, and all of them except the last one have the same length.
        var end: Int64 = 0
        for (index, part) in plan.parts.enumerated() {
            #expect(part.number == index + 1 && part.range.lowerBound == end)
            #expect(part.number == count || part.length == plan.partLength)
            end = part.range.upperBound
        }
        #expect(end == max(length, 0))
        #expect(plan.part(count) == plan.parts.last && plan.part(0) == nil && plan.part(count + 1) == nil && plan.part(.max) == nil)
    }

    @Test(arguments: [UploadPlan.maximumLength + 1, .max]) func `a file beyond the limits of S3 has no plan`(_ length: Int64) {
        #expect(throws: ContentStorageError.tooLarge(length: length, limit: 53_687_091_200_000)) { try UploadPlan(length: length) }
    }

    @Test func `plans of random lengths cover the file`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let length = Int64.random(in: 0...UploadPlan.maximumLength, using: &random)
            let plan = try UploadPlan(length: length, preferredPartLength: Int64.random(in: 0...(8 << 30), using: &random))
            #expect((UploadPlan.minimumPartLength...UploadPlan.maximumPartLength).contains(plan.partLength))
            #expect((1...10_000).contains(plan.partCount) && plan.parts.last?.range.upperBound == length)
        }
    }

    private static func stored(_ number: Int, _ length: Int64) -> UploadPlan.StoredPart {
        UploadPlan.StoredPart(number: number, length: length, entityTag: "\"\(number)\"")
    }

    @Test(
        arguments: [
            ([], [Int]()),
            ([stored(1, 5 << 20)], [1]),
            ([stored(3, 2 << 20), stored(1, 5 << 20)], [3, 1]),
            ([stored(1, 5 << 20), stored(2, 5 << 20), stored(3, 2 << 20)], [1, 2, 3]),
            // Another length, number or plan.
            ([stored(1, 6 << 20)], nil),
            ([stored(1, 5 << 20), stored(2, (5 << 20) - 1)], nil),
            ([stored(3, 5 << 20)], nil),
            ([stored(4, 2 << 20)], nil),
            ([stored(0, 5 << 20)], nil),
            ([stored(-1, 5 << 20)], nil),
            ([stored(.max, 5 << 20)], nil),
            ([stored(1, -1)], nil),
            ([stored(1, 5 << 20), stored(1, 5 << 20)], nil),
        ] as [([UploadPlan.StoredPart], [Int]?)])
    func `parts in a bucket match if their numbers and lengths do`(_ stored: [UploadPlan.StoredPart], _ numbers: [Int]?) throws {
        let plan = try UploadPlan(length: 12 << 20, preferredPartLength: 5 << 20)
        #expect(plan.parts(matching: stored)?.map(\.part.number) == numbers)
    }
}
