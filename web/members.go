package web

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/page"
)

// membersBody is what the page of members shows.
type membersBody struct {
	Members []*models.User
	// Invitations and reset links that let somebody in; only owners see them.
	Open []openLink
	// A link just made: shown now and never again.
	Link string
	// Address of the user for whom it was made.
	LinkFor  string
	LinkKind models.LinkKind
	// Address that was typed, after a mistake.
	Email string
	// Id of the member whose role was to be changed, after a mistake.
	Asked string
	Now   time.Time
	// Left are former members whose keys are in use; only owners see them.
	Left []leaver
}

// membersPage shows the page as it is opened.
func (s *Site) membersPage(v *page.Visit) error { return s.showMembers(v, membersBody{}, nil) }

// showMembers shows the page. Only owners see open links.
func (s *Site) showMembers(v *page.Visit, b membersBody, problem error) error {
	ctx := v.R.Context()
	var err error
	if b.Members, err = s.Store.Users(ctx, v.Account.ID); err != nil {
		return err
	}
	if v.User.Role == models.Owner {
		links, err := s.Store.OpenLinks(ctx, v.Account.ID)
		if err != nil {
			return err
		}
		for _, l := range links {
			b.Open = append(b.Open, openLink{SignInLink: l, Path: hex.EncodeToString(l.SHA256)})
		}
		keys, err := s.Store.Keys(ctx, v.Account.ID)
		if err != nil {
			return err
		}
		if b.Left, err = s.leavers(v, keys); err != nil {
			return err
		}
	}
	b.Now = s.Now()
	data := page.View{Title: "Members", Script: "settings", Body: b}
	if problem != nil {
		data.Failed(problem)
		if models.CodeOf(problem) == models.CodeConflict {
			data.Status = http.StatusConflict
		}
	}
	return s.Page(v, "members", data)
}

// orMembers shows an error that the reader can mend on the page of members.
func (s *Site) orMembers(v *page.Visit, b membersBody, err error) error {
	switch models.CodeOf(err) {
	case models.CodeInvalidParameter, models.CodeConflict:
		return s.showMembers(v, b, err)
	}
	return err
}

// invite makes a link that the owner sends: rollcall sends no mail.
func (s *Site) invite(v *page.Visit) error {
	email := strings.TrimSpace(v.R.PostFormValue("email"))
	role, err := models.ParseRole(v.R.PostFormValue("role"))
	if err != nil {
		return s.showMembers(v, membersBody{Email: email}, err)
	}
	l := &models.SignInLink{Kind: models.Invitation, Email: email, Role: role}
	address, err := s.link(v, l, "/invitation/", InvitationLife)
	if err != nil {
		return s.orMembers(v, membersBody{Email: email}, err)
	}
	return s.showMembers(v, membersBody{Link: address, LinkFor: l.Email, LinkKind: l.Kind}, nil)
}

// openLink is an open link as the page shows it.
type openLink struct {
	*models.SignInLink
	// Names the link in an address: its hash, which opens nothing.
	Path string
}

// takeBack ends a link that was not used yet.
func (s *Site) takeBack(v *page.Visit) error {
	sha, err := hex.DecodeString(v.Param("id"))
	if err != nil {
		return page.ErrNoPage
	}
	kind, err := s.Store.TakeBackLink(v.R.Context(), v.User, sha)
	if models.CodeOf(err) == models.CodeNotFound {
		return s.showMembers(v, membersBody{}, err)
	}
	if err != nil {
		return err
	}
	said := "invited"
	if kind == models.Reset {
		said = "reset-back"
	}
	return page.Redirect(v.W, v.R, "/settings/members?done="+said)
}

// changeRole changes a role, unless another owner has changed it since the page was opened.
func (s *Site) changeRole(v *page.Visit) error {
	role, err := models.ParseRole(v.R.PostFormValue("role"))
	var was models.Role
	if err == nil {
		was, err = models.ParseRole(v.R.PostFormValue("was"))
	}
	if err == nil {
		err = s.Store.SetRole(v.R.Context(), v.User, v.Param("id"), was, role)
	}
	if errors.Is(err, models.ErrChanged) {
		err = &models.Error{
			Code:    models.CodeConflict,
			Message: fmt.Sprintf("the role was changed after you opened the page, so nothing was saved. The current role is shown below; you chose %s", role),
		}
	}
	if err != nil {
		return s.orMembers(v, membersBody{Asked: v.Param("id")}, err)
	}
	return page.Redirect(v.W, v.R, "/settings/members?done=role")
}

// removeMember removes a member and ends the member's sessions.
func (s *Site) removeMember(v *page.Visit) error {
	if err := s.Store.RemoveUser(v.R.Context(), v.User, chi.URLParam(v.R, "id")); err != nil {
		return s.orMembers(v, membersBody{}, err)
	}
	return page.Redirect(v.W, v.R, "/settings/members?done=removed")
}

// resetMember makes a link that sets a member's password. It makes none for operators: a person
// who holds the link becomes the member, and an owner must not become an operator that way.
func (s *Site) resetMember(v *page.Visit) error {
	u, err := s.Store.User(v.R.Context(), v.Account.ID, chi.URLParam(v.R, "id"))
	if err != nil {
		return err
	}
	if u.Operator {
		return &models.Error{Code: models.CodeForbidden, Message: "an operator resets a password on the command line: rollcall account reset"}
	}
	address, err := s.link(v, &models.SignInLink{Kind: models.Reset, Email: u.Email, Role: u.Role, UserID: &u.ID}, "/reset/", ResetLife)
	if err != nil {
		return err
	}
	return s.showMembers(v, membersBody{Link: address, LinkFor: u.Email, LinkKind: models.Reset}, nil)
}
