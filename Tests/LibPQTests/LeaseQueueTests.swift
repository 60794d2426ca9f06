import Testing

@testable import LibPQ

@Suite struct LeaseQueueTests {
    @Test func `who waits longest is served first`() {
        var queue = LeaseQueue<Int, String>([1])
        #expect(queue.take() == 1)
        #expect(queue.take() == nil)
        queue.enqueue("first", ticket: 1)
        queue.enqueue("second", ticket: 2)
        #expect(queue.giveBack(1) == "first")
        #expect(queue.giveBack(1) == "second")
        #expect(queue.giveBack(1) == nil)
        #expect(queue.take() == 1)
    }

    @Test func `who leaves the line is passed over`() {
        var queue = LeaseQueue<Int, String>([])
        queue.enqueue("first", ticket: 1)
        queue.enqueue("second", ticket: 2)
        #expect(queue.withdraw(ticket: 1) == "first")
        #expect(queue.giveBack(7) == "second")
    }

    @Test func `who was served can no longer leave the line`() {
        var queue = LeaseQueue<Int, String>([])
        queue.enqueue("first", ticket: 1)
        #expect(queue.giveBack(7) == "first")
        #expect(queue.withdraw(ticket: 1) == nil)
    }

    @Test func `the lane used last is lent next`() {
        var queue = LeaseQueue<Int, String>([1, 2])
        #expect(queue.take() == 2)
        #expect(queue.giveBack(2) == nil)
        #expect(queue.take() == 2)
    }
}
