/// The phones of the story.
package struct StagePhone: Sendable {
    /// The name of the phone's folder.
    package let name: String
    /// Who is signed in on it.
    package let account: StageAccount

    /// The customer's phone.
    package static let first = StagePhone(name: "phone", account: .grownUp)
    /// The customer's second phone.
    package static let second = StagePhone(name: "second-phone", account: .grownUp)
    /// The child's phone.
    package static let childs = StagePhone(name: "childs-phone", account: .child)
}
