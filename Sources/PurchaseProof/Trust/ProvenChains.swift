import Synchronization

/// The chains that were proven for one root, for as long as the process runs.
///
/// A list that only grows, read and extended without locks: each node is written once. What stands in it was proven, so a
/// stranger can put nothing in but genuine chains, each in at most four spellings (see ``PlacedCertificate``), and a root that
/// counts in a sandbox only has a list of its own, from which it can push out nobody. When the list is full, further chains are
/// proven anew each time: slower, with the same result.
final class ProvenChains: Sendable {
    /// How many chains are kept, at about 25 kB each.
    ///
    /// In the twelve years that we know of, receipts had seven leaves and JWS fewer.
    static let limit = 64

    private let head = AtomicLazyReference<Node>()

    private final class Node: Sendable {
        let chain: ProvenChain
        let next = AtomicLazyReference<Node>()

        init(_ chain: ProvenChain) {
            self.chain = chain
        }
    }

    /// The first chain that is sought; nil when there is none.
    func first(where isSought: (ProvenChain) -> Bool) -> ProvenChain? {
        var next = head.load()
        while let node = next {
            if isSought(node.chain) { return node.chain }
            next = node.next.load()
        }
        return nil
    }

    /// Keeps a chain unless the list is full, and returns it, or the one of the same bytes that was there before.
    func keep(_ chain: ProvenChain) -> ProvenChain {
        let new = Node(chain)
        var node = head.storeIfNil(new)
        var count = 1
        while node !== new {
            if node.chain.encoded == chain.encoded { return node.chain }
            guard count < Self.limit else { return chain }
            node = node.next.storeIfNil(new)
            count += 1
        }
        return chain
    }
}
