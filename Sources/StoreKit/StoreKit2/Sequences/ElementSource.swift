import OpenStoreKit

/// The source of the elements of a StoreKit sequence, which creates an independent iterator for each iteration.
///
/// An iteration runs on the executor of its task. The device never waits for an iteration, and holds no lock while an iteration runs.
struct ElementSource<Element: Sendable>: Sendable {
    /// An iterator over the elements of the source.
    struct Iterator {
        fileprivate var base: any AsyncIteratorProtocol<Element, Never>

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            await base.next(isolation: actor)
        }
    }

    private let open: @Sendable () -> Iterator

    /// Creates a source that loads all elements when an iteration requests the first element.
    init(_ load: @escaping @Sendable () async -> [Element]) {
        open = { Iterator(base: LoadedIterator(load: load)) }
    }

    /// Creates a source of the updates that a device delivers after an iteration begins.
    ///
    /// An iteration ends when the device is deallocated.
    ///
    /// - Parameters:
    ///   - device: The device, held weakly. If nil, an iteration waits until a device is current for its task.
    ///   - stream: Returns a new stream of the updates of a device.
    ///   - element: Creates the StoreKit element for an update, or returns nil to skip the update.
    ///   - handOver: Called for each element that the app receives. The closure that it returns is called when the app has handled the
    ///     element, which means that the app requests the next element or releases the iterator.
    init<Update: Sendable>(
        _ device: Device?,
        _ stream: @escaping @Sendable (Device) -> AsyncStream<Update>,
        _ element: @escaping @Sendable (Update, Device) async -> Element?,
        handOver: (@Sendable (Update, Device) -> @Sendable () -> Void)? = nil
    ) {
        let waitsForDevice = device == nil
        open = { [weak device] in
            let updates = waitsForDevice ? nil : device.map(stream) ?? AsyncStream { $0.finish() }
            return Iterator(
                base: StreamIterator(
                    updates: updates?.makeAsyncIterator(), device: device, stream: stream, element: element, handOver: handOver))
        }
    }

    func makeIterator() -> Iterator { open() }

    private struct LoadedIterator: AsyncIteratorProtocol {
        let load: @Sendable () async -> [Element]
        var rest: IndexingIterator<[Element]>?

        init(load: @escaping @Sendable () async -> [Element]) {
            self.load = load
        }

        mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if rest == nil { rest = await load().makeIterator() }
            return Task.isCancelled ? nil : rest?.next()
        }
    }

    private struct StreamIterator<Update: Sendable>: AsyncIteratorProtocol {
        /// The updates of the device; nil while the iteration waits for a device.
        var updates: AsyncStream<Update>.Iterator?
        weak var device: Device?
        let stream: @Sendable (Device) -> AsyncStream<Update>
        let element: @Sendable (Update, Device) async -> Element?
        let handOver: (@Sendable (Update, Device) -> @Sendable () -> Void)?
        let acknowledgment = DeliveryAcknowledgment()

        mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            acknowledgment.acknowledge()
            if updates == nil, let available = await Device.nextAvailable() {
                device = available
                updates = stream(available).makeAsyncIterator()
            }
            while let next = await updates?.next(isolation: actor), let device {
                guard let element = await element(next, device) else { continue }
                if let handOver { acknowledgment.prepare(handOver(next, device)) }
                return element
            }
            return nil
        }
    }
}
