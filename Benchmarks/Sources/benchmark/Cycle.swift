/// An endless sequence that repeats the elements of an array.
final class Cycle<Element> {
    private let elements: [Element]
    private var index = 0

    /// Creates a cycle of elements.
    ///
    /// The array must not be empty.
    init(_ elements: [Element]) {
        self.elements = elements
    }

    func next() -> Element {
        index = (index + 1) % elements.count
        return elements[index]
    }
}
