/// The error of a payment that requires Ask to Buy approval, if the user has not yet agreed to ask a parent for approval.
struct AskToBuyConfirmationRequired: Error {}
