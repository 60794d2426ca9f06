/// Decides who gets which lane, and in what order.
///
/// It only decides: resuming whoever waits is the pool's work.
struct LeaseQueue<Lane, Waiter> {
    private var idle: [Lane]
    private var waiting: [(ticket: UInt64, waiter: Waiter)] = []

    init(_ lanes: [Lane]) {
        idle = lanes
    }

    /// How many stand in line.
    var lineLength: Int {
        waiting.count
    }

    /// Takes a free lane, the one used last, because its connection is the likeliest to be open.
    mutating func take() -> Lane? {
        idle.popLast()
    }

    /// Puts a waiter at the end of the line.
    mutating func enqueue(_ waiter: Waiter, ticket: UInt64) {
        waiting.append((ticket, waiter))
    }

    /// Accepts a lane back and returns the waiter it goes to now: whoever has waited longest.
    mutating func giveBack(_ lane: Lane) -> Waiter? {
        if waiting.isEmpty {
            idle.append(lane)
            return nil
        }
        return waiting.removeFirst().waiter
    }

    /// Takes a waiter out of the line; `nil` if it has been served or never stood there.
    mutating func withdraw(ticket: UInt64) -> Waiter? {
        waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).waiter }
    }
}
