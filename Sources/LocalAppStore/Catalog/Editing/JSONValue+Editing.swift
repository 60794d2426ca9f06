import FoundationExtras

extension JSONValue {
    /// The elements of a JSON array; empty for other values.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// Sets the first member with a name, or removes the member if `value` is nil.
    ///
    /// A value that is not an object is replaced by an object.
    mutating func set(_ name: String, to value: JSONValue?) {
        var members: [Member] = []
        if case .object(let own) = self { members = own }
        switch (members.firstIndex { $0.name == name }, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name, value))
        case (nil, nil): break
        }
        self = .object(members)
    }

    /// Sets a member to the JSON of `new` if `new` differs from `old`.
    mutating func set<Value: Equatable>(_ name: String, to new: Value, unless old: Value?, _ json: (Value) -> JSONValue?) {
        if new != old { set(name, to: json(new)) }
    }

    /// Changes the elements of a member that is an array; a missing member becomes an array.
    mutating func change(_ name: String, _ body: (inout [JSONValue]) -> Void) {
        var elements = self[name]?.elements ?? []
        body(&elements)
        set(name, to: .array(elements))
    }

    /// Returns whether a member is a string with the same UTF-8 bytes as `text`, as identifiers are compared.
    func hasValue(_ key: String, _ text: String) -> Bool {
        self[key]?.text.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }
}
