/// The elements of an array, one after another, and from the start again.
final class Cycle<Element> {
    private let elements: [Element]
    private var index = 0

    /// Cycles through elements, of which there is at least one.
    init(_ elements: [Element]) {
        self.elements = elements
    }

    func next() -> Element {
        index = (index + 1) % elements.count
        return elements[index]
    }
}
