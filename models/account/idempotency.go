package account

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// How long keys and their answers are kept, and how a repeated request waits (DECISIONS.md, "Alerts").
const (
	// idempotencyKept is how long a repeated request gets the answer of the first one.
	idempotencyKept = 24 * time.Hour
	// idempotencyWait is how long a repeated request waits for the answer of the one before it, and
	// idempotencyPoll the time between two looks.
	idempotencyWait = 5 * time.Second
	idempotencyPoll = 20 * time.Millisecond
)

// errBeingAnswered is for a request whose twin has no answer yet. The client may try again.
var errBeingAnswered = &models.Error{Code: models.CodeConflict, Message: "a request with this Idempotency-Key is still being answered; try again"}

// BeginIdempotent claims an Idempotency-Key of an account for a request, which is identified by the SHA-256
// of its method, path and body. Of kept and claim exactly one is set:
//   - kept is the answer that the same request got within 24 hours, to be sent again;
//   - claim obliges the caller to handle the request and to call FinishIdempotent, or ForgetIdempotent when
//     the request failed.
//
// A key that was used for another request is CodeConflict. A request whose twin is still being answered waits
// for that answer, up to 5 seconds, and is CodeConflict after that. A claim whose process ended without
// either call can be taken over after models.IdempotencyPatience.
func (s *Store) BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error) {
	if err := models.PlainText("Idempotency-Key", key); err != nil {
		return nil, nil, err
	}
	for deadline := time.Now().Add(idempotencyWait); ; {
		kept, claim, err := s.claimIdempotent(ctx, accountID, key, request)
		if !errors.Is(err, errBeingAnswered) || time.Now().After(deadline) {
			return kept, claim, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(idempotencyPoll):
		}
	}
}

// claimIdempotent is one try of BeginIdempotent. The claim is one statement, so of two requests at once one
// gets it.
func (s *Store) claimIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error) {
	now := s.Now().UTC().Truncate(time.Microsecond) // as PostgreSQL keeps it
	tag, err := s.Pool().Exec(ctx, statements.Get("claim_idempotency_key"), pgx.NamedArgs{
		"account": accountID, "key": key, "request": request, "now": now,
		"forgotten": now.Add(-idempotencyKept), "dead": now.Add(-models.IdempotencyPatience),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("claim idempotency key: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return nil, &models.IdempotencyClaim{AccountID: accountID, Key: key, At: now}, nil
	}
	known, err := db.One[models.IdempotencyKey](s.rows(ctx).Where("account_id = ? and key = ?", accountID, key), errBeingAnswered)
	switch {
	case errors.Is(err, errBeingAnswered): // forgotten meanwhile
		return nil, nil, err
	case err != nil:
		return nil, nil, fmt.Errorf("read idempotency key: %w", err)
	case !bytes.Equal(known.Request, request):
		return nil, nil, &models.Error{Code: models.CodeConflict, Message: "this Idempotency-Key was used for another request; send a new key"}
	case known.Status == nil:
		return nil, nil, errBeingAnswered
	}
	return &models.KeptAnswer{Status: *known.Status, Body: known.Body}, nil, nil
}

// FinishIdempotent keeps the answer of a claimed key, with the records that it shows. When one of those is
// withheld, now or later, the answer is forgotten, so that a repetition does not show it. An answer whose claim
// was taken over by another request is not kept; that is no error.
func (s *Store) FinishIdempotent(ctx context.Context, c *models.IdempotencyClaim, a models.KeptAnswer) error {
	_, err := s.Pool().Exec(ctx, statements.Get("keep_answer"), pgx.NamedArgs{
		"account": c.AccountID, "key": c.Key, "claimed": c.At, "status": a.Status, "body": a.Body, "ids": append(idsIn(a.Body), a.Shows...),
	})
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

// ForgetIdempotent frees a claimed key whose request failed, so that a repetition is handled again.
func (s *Store) ForgetIdempotent(ctx context.Context, c *models.IdempotencyClaim) error {
	err := s.rows(ctx).Where("account_id = ? and key = ? and created_at = ? and status is null", c.AccountID, c.Key, c.At).
		Delete(&models.IdempotencyKey{}).Error
	if err != nil {
		return fmt.Errorf("free idempotency key: %w", err)
	}
	return nil
}

// SweepIdempotent removes keys that are older than 24 hours. A job calls it; no answer depends on when.
func (s *Store) SweepIdempotent(ctx context.Context) error {
	err := s.rows(ctx).Where("created_at < ?", s.Now().UTC().Add(-idempotencyKept)).Delete(&models.IdempotencyKey{}).Error
	if err != nil {
		return fmt.Errorf("remove old idempotency keys: %w", err)
	}
	return nil
}

// mostNested is how deep idsIn looks for documents within strings. The payload of a delivery within an answer
// is one deep.
const mostNested = 3

// idsIn returns every string of a JSON document that may be the id of a record, also of JSON documents within
// its strings. Too many are harmless, as only ids of records are looked up; a missing one would keep showing
// a withheld record. A body that is no JSON, such as the encrypted pages of package web, has none.
func idsIn(body []byte) []string {
	ids := []string{}
	collect(body, mostNested, map[string]bool{}, &ids)
	return ids
}

// collect appends to ids the strings of body that seen lacks. It ends quietly where body is no JSON any more.
func collect(body []byte, deep int, seen map[string]bool, ids *[]string) {
	for d := json.NewDecoder(bytes.NewReader(body)); ; {
		token, err := d.Token()
		if err != nil {
			return
		}
		text, ok := token.(string)
		switch {
		case !ok || seen[text]:
		case deep > 0 && strings.HasPrefix(text, "{"):
			collect([]byte(text), deep-1, seen, ids)
		case text != "" && models.PlainText("id", text) == nil:
			seen[text] = true
			*ids = append(*ids, text)
		}
	}
}
