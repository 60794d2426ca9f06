import Testing

@testable import LibPQ

@Suite struct LeaseQueueTests {
    @Test func `the longest waiter gets the next lease`() {
        var queue = LeaseQueue<Int, String>([1])
        #expect(queue.acquire() == 1)
        #expect(queue.acquire() == nil)
        queue.enqueue("first", waiterID: 1)
        queue.enqueue("second", waiterID: 2)
        #expect(queue.release(1) == "first")
        #expect(queue.release(1) == "second")
        #expect(queue.release(1) == nil)
        #expect(queue.acquire() == 1)
    }

    @Test func `a canceled waiter gets no lease`() {
        var queue = LeaseQueue<Int, String>([])
        queue.enqueue("first", waiterID: 1)
        queue.enqueue("second", waiterID: 2)
        #expect(queue.cancel(waiterID: 1) == "first")
        #expect(queue.release(7) == "second")
    }

    @Test func `a waiter with a lease cannot be canceled`() {
        var queue = LeaseQueue<Int, String>([])
        queue.enqueue("first", waiterID: 1)
        #expect(queue.release(7) == "first")
        #expect(queue.cancel(waiterID: 1) == nil)
    }

    @Test func `the most recently used lane is leased next`() {
        var queue = LeaseQueue<Int, String>([1, 2])
        #expect(queue.acquire() == 2)
        #expect(queue.release(2) == nil)
        #expect(queue.acquire() == 2)
    }
}
