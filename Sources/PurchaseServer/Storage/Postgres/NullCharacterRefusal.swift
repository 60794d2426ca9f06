import HTTPTypes
import Wire
import WireServer

/// The refusal of a text that PostgreSQL can't store, because it contains the character U+0000.
struct NullCharacterRefusal: WireRefusal, Hashable {
    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        WireError(code: "text.null_character", message: "A text of the request contains the character U+0000. Remove the character.")
    }
}
