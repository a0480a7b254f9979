package customer

import (
	"context"
	"fmt"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/web"
)

// accountInviteCmd makes an invitation, with which a person becomes a user of an account. The first owner of an
// account can only be invited here; owners invite further users on their settings pages.
type accountInviteCmd struct {
	Account string `required:"" help:"Id of the account."`
	Email   string `required:"" help:"Address of who is invited; it becomes the name to sign in with."`
	// Role decides who may invite and remove users of the account. It has no effect on records.
	Role string `default:"owner" help:"owner, who also decides who belongs to the account, or member. Default ${default}."`
	// Operator opens the pages below /operator, which show sources, quarantine and reviews of all accounts.
	Operator bool `help:"Also looks after the sources of the whole service."`
	JSON     bool `name:"json" help:"Print JSON."`
}

// Run prints the address of the invitation, for the operator to send: rollcall sends no mail. It is valid for
// web.InvitationLife and works once.
func (c *accountInviteCmd) Run(ctx context.Context, app *service.App) error {
	role, err := models.ParseRole(c.Role)
	if err != nil {
		return err
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	// The operator of the service may know which accounts exist. The settings pages answer an owner more
	// vaguely, because the address may belong to another customer.
	switch u, err := store.UserByEmail(ctx, c.Email); {
	case err == nil:
		return &models.Error{Code: models.CodeConflict, Message: "a user with this e-mail address already exists, in account " + u.AccountID, Field: "email"}
	case models.CodeOf(err) != models.CodeNotFound:
		return err
	}
	l := &models.SignInLink{Kind: models.Invitation, AccountID: c.Account, Email: c.Email, Role: role, Operator: c.Operator}
	address, err := app.SignInLink(ctx, store, l, "/invitation/", web.InvitationLife)
	if err != nil {
		return err
	}
	return printLink(app, l, address, c.JSON)
}

// accountResetCmd makes a link with which a user chooses a new password. Using the link ends the sessions of
// the user and removes the passkeys, because a stranger who knew the password may have added one.
type accountResetCmd struct {
	Email string `required:"" help:"Address that the member signs in with."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run prints the address of the link. It is valid for web.ResetLife and works once.
func (c *accountResetCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	u, err := store.UserByEmail(ctx, c.Email)
	if err != nil {
		return err
	}
	// The role is that of the user: a reset never changes what somebody may do.
	l := &models.SignInLink{Kind: models.Reset, AccountID: u.AccountID, UserID: &u.ID, Email: u.Email, Role: u.Role}
	address, err := app.SignInLink(ctx, store, l, "/reset/", web.ResetLife)
	if err != nil {
		return err
	}
	return printLink(app, l, address, c.JSON)
}

// printLink prints the address of a link. The database holds only a hash of its token, so it cannot be printed
// a second time.
func printLink(a *service.App, l *models.SignInLink, address string, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(struct {
			Email     string    `json:"email"`
			URL       string    `json:"url"`
			ExpiresAt time.Time `json:"expires_at"`
		}{l.Email, address, l.ExpiresAt})
	}
	_, err := fmt.Fprintf(a.Stdout, "Send this to %s. It works once, until %s:\n%s\n", l.Email, cell.Time(&l.ExpiresAt), address)
	return err
}
