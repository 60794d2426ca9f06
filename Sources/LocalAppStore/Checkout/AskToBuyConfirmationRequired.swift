/// A parent must approve the payment, and the user has not yet agreed to send the Ask to Buy request.
struct AskToBuyConfirmationRequired: Error {}
