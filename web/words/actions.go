package words

// Acted are the beginnings of actions, which the filter of a trail offers.
var Acted = []string{"alert", "calendar address", "deliver", "e-mail endpoint", "hit", "invitation", "key", "member", "passkey", "password", "request bin", "webhook"}

// Actions are what the trails of accounts say was done. The file of a trail keeps them in English, and so does the filter.
var Actions = []string{
	"alert created", "alert changed", "alert paused", "alert resumed", "alert deleted",
	"alerts imported", "alerts changed", "alerts paused", "alerts resumed", "alerts deleted",
	"hit confirmed", "hit marked as not them", "hit answer undone", "hit assigned",
	"webhook added", "webhook changed", "webhook paused", "webhook resumed", "webhook enabled", "webhook tested", "webhook deleted",
	"request bin created", "request bin changed", "delivery sent again", "deliveries sent again",
	"e-mail endpoint added", "e-mail endpoint changed", "e-mail endpoint paused", "e-mail endpoint tested", "e-mail endpoint deleted",
	"e-mail endpoint asked to confirm",
	"key made", "key created", "key regenerated", "key ends in 1 hour", "key ends in 1 day", "key ends in 7 days", "key revoked",
	"calendar address made", "calendar address ended",
	"member invited", "invitation made", "member removed", "password changed", "password reset link made", "sign-in link made",
	"passkey added", "passkey removed", "account changed", "account resumed",
}
