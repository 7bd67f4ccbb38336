//! Errors of the second factor.

/// Reason why a call about a second factor is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactorError {
    /// The password is right and a code is needed; with the handle of the sign-in.
    #[error("Enter the code from your app.")]
    CodeNeeded(String),
    /// The sign-in that waits for a code ended.
    #[error(
        "This sign-in has ended: it takes five codes in five minutes. Enter your password again."
    )]
    SignInEnded,
    /// The code is wrong.
    #[error(
        "This code is not right. Enter the newest one from your app. \
         Check that the time on your phone is set automatically."
    )]
    WrongCode,
    /// The code is right and was used.
    #[error("This code was used already. Wait for the next one in your app.")]
    UsedCode,
    /// The secret was sealed with another key of the shop.
    #[error(
        "Your second factor was made with another key of this shop, so no code can be checked. \
         Ask the owner to run `deals user reset-totp` with your address on the server."
    )]
    Unreadable,
    /// A code has to be entered in this session first.
    #[error("Enter the code from your app to continue.")]
    Unconfirmed,
    /// The account needs a second factor and has none.
    #[error(
        "This shop requires a second factor of its administrators. Set one up in your profile."
    )]
    Missing,
    /// The account has a factor.
    #[error("Your second factor is on already. Switch it off to set up another one.")]
    Exists,
    /// The account has no factor, or none that waits for its first code.
    #[error("There is no second factor to do this with. Set one up first.")]
    None,
}
