/// The refusal of a text that PostgreSQL can't store, because it contains the character U+0000.
package struct NullCharacterRefusal: Error, Hashable {}
