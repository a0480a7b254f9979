package graph

import (
	"context"
	"errors"

	"rollcall/auth"
	"rollcall/graph/generated"
	"rollcall/models"
	"rollcall/models/account"
)

// errNoMail is for a service that sends no mail.
var errNoMail = &models.Error{
	Code:    models.CodeConflict,
	Message: "this service sends no e-mail: its operator has to set ROLLCALL_SMTP_URL and ROLLCALL_MAIL_FROM",
}

// ask sends the mail that asks the owner of an address to confirm.
func (r *Resolver) ask(ctx context.Context, h *models.Webhook) (*generated.AskedEmailEndpoint, error) {
	out := &generated.AskedEmailEndpoint{Endpoint: h}
	c, ok := auth.FromContext(ctx)
	if !ok {
		return out, nil // accountOf has refused changes without a caller
	}
	err := r.alerts.Mails.Confirm(ctx, h, c.Account.Name)
	if known, ok := errors.AsType[*models.Error](err); ok {
		out.Problem, err = &known.Message, nil
	}
	return out, err
}

// subscription is an Atom subscription as the schema has it.
func subscription(s *account.AtomSubscription) *generated.AtomSubscription {
	return &generated.AtomSubscription{ID: s.ID, Label: s.Label, CreatedAt: s.CreatedAt, RevokedAt: s.RevokedAt}
}
