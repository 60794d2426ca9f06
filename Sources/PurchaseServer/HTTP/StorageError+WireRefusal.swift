package import HTTPTypes
import PurchaseStorage
package import Wire
import WireServer

extension StorageError: WireRefusal {
    package var status: HTTPResponse.Status { .serviceUnavailable }

    package var wireError: WireError {
        let code =
            switch self {
            case .overloaded: "storage.overloaded"
            case .locked, .unreachable, .unreplicated, .full, .fileReplaced, .failed: "storage.unavailable"
            }
        return WireError(code: code, message: "The server can't store data now. Send the same request again later.")
    }

    package var retryAfterSeconds: Int? {
        switch self {
        case .overloaded, .locked, .unreachable, .unreplicated: 1
        case .full, .fileReplaced, .failed: 30
        }
    }

    package var operatorMessage: String? {
        switch self {
        case .overloaded: nil
        case .locked: "the database is locked by another process; stop the other process"
        case .unreachable: "the database server can't be reached, or is not the primary; check the connection string and the server"
        case .unreplicated: "a write waited too long for a synchronous standby; check the standbys of the database server"
        case .full: "the disk of the database is full; free some space"
        case .fileReplaced: "the database file was deleted or replaced; restore the file, and restart the server"
        case .failed(let code): "the database reported \(code); check the disk and the file of the database"
        }
    }
}

extension NullCharacterRefusal: WireRefusal {
    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        WireError(code: "text.null_character", message: "A text of the request contains the character U+0000. Remove the character.")
    }
}
