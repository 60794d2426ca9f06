import OpenStoreKit

/// Where the elements of one of StoreKit's sequences come from; every iteration starts anew.
///
/// An iteration goes on where its task runs; whoever tells does not wait for it, and holds no lock meanwhile.
struct Supply<Element: Sendable>: Sendable {
    /// Takes one element after the other.
    struct Iterator {
        fileprivate var base: any AsyncIteratorProtocol<Element, Never>

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            await base.next(isolation: actor)
        }
    }

    private let open: @Sendable () -> Iterator

    /// Elements that are fetched together when the first one is asked for.
    init(_ load: @escaping @Sendable () async -> [Element]) {
        open = { Iterator(base: Listing(load: load)) }
    }

    /// What a device tells from now on, as long as there is the device.
    ///
    /// - Parameters:
    ///   - device: Who tells; not kept alive. Where there is none, the first one that is current where the element is asked for.
    ///   - stream: What it tells.
    ///   - element: What StoreKit makes of it; nil to pass over it.
    ///   - handOver: Is told of each element that the app gets; answers what to do when the app has dealt with it, which it has when it
    ///     asks for the next one, or lets the iteration go.
    init<Told: Sendable>(
        _ device: Device?,
        _ stream: @escaping @Sendable (Device) -> AsyncStream<Told>,
        _ element: @escaping @Sendable (Told, Device) async -> Element?,
        handOver: (@Sendable (Told, Device) -> @Sendable () -> Void)? = nil
    ) {
        let waits = device == nil
        open = { [weak device] in
            let told = waits ? nil : device.map(stream) ?? AsyncStream { $0.finish() }
            return Iterator(
                base: Following(told: told?.makeAsyncIterator(), device: device, stream: stream, element: element, handOver: handOver))
        }
    }

    func makeIterator() -> Iterator { open() }

    private struct Listing: AsyncIteratorProtocol {
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

    private struct Following<Told: Sendable>: AsyncIteratorProtocol {
        /// Nil as long as there is no device.
        var told: AsyncStream<Told>.Iterator?
        weak var device: Device?
        let stream: @Sendable (Device) -> AsyncStream<Told>
        let element: @Sendable (Told, Device) async -> Element?
        let handOver: (@Sendable (Told, Device) -> @Sendable () -> Void)?
        let receipt = HandoverReceipt()

        mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            receipt.sign()
            if told == nil, let arrived = await Device.arrival() {
                device = arrived
                told = stream(arrived).makeAsyncIterator()
            }
            while let next = await told?.next(isolation: actor), let device {
                guard let element = await element(next, device) else { continue }
                if let handOver { receipt.expect(handOver(next, device)) }
                return element
            }
            return nil
        }
    }
}
