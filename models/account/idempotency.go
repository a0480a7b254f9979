package account

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

const (
	idempotencyKept = 24 * time.Hour
	// idempotencyPatience is after which a request that never answered is held to be dead.
	idempotencyPatience = 2 * time.Minute
	// idempotencyWait is how long a repeated request waits for the answer of the one before it.
	idempotencyWait = 5 * time.Second
	idempotencyPoll = 20 * time.Millisecond
)

// errBeingAnswered is for a request whose twin has no answer yet.
var errBeingAnswered = &models.Error{Code: models.CodeConflict, Message: "a request with this Idempotency-Key is still being answered; try again"}

// BeginIdempotent claims an Idempotency-Key of an account for a request, told by the SHA-256 of its
// method, path and body. It gives the answer that the same request got within 24 hours, or nil: then
// the caller handles the request and calls FinishIdempotent, or ForgetIdempotent when it came to
// nothing. The key of another request is CodeConflict. A
// request whose twin is still being answered waits for that answer, and is CodeConflict if it takes long.
func (s *Store) BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, error) {
	if err := models.PlainText("Idempotency-Key", key); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(idempotencyWait); ; {
		kept, err := s.claimIdempotent(ctx, accountID, key, request)
		if !errors.Is(err, errBeingAnswered) || time.Now().After(deadline) {
			return kept, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(idempotencyPoll):
		}
	}
}

func (s *Store) claimIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, error) {
	now := s.Now().UTC()
	tag, err := s.Pool().Exec(ctx, `insert into idempotency_keys as k (account_id, key, request, created_at) values ($1, $2, $3, $4)
 on conflict (account_id, key) do update set request = excluded.request, status = null, body = null, created_at = excluded.created_at
 where k.created_at < $5 or k.status is null and k.created_at < $6`, accountID, key, request, now, now.Add(-idempotencyKept), now.Add(-idempotencyPatience))
	if err != nil {
		return nil, fmt.Errorf("claim idempotency key: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return nil, nil //nolint:nilnil // no answer yet is no error: see above
	}
	var (
		known  []byte
		status *int
		kept   models.KeptAnswer
	)
	err = s.Pool().QueryRow(ctx, `select request, status, body from idempotency_keys where account_id = $1 and key = $2`, accountID, key).Scan(&known, &status, &kept.Body)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // forgotten meanwhile
		return nil, errBeingAnswered
	case err != nil:
		return nil, fmt.Errorf("read idempotency key: %w", err)
	case !bytes.Equal(known, request):
		return nil, &models.Error{Code: models.CodeConflict, Message: "this Idempotency-Key was used for another request"}
	case status == nil:
		return nil, errBeingAnswered
	}
	kept.Status = *status
	return &kept, nil
}

// FinishIdempotent keeps the answer of a claimed key.
func (s *Store) FinishIdempotent(ctx context.Context, accountID, key string, a models.KeptAnswer) error {
	if _, err := s.Pool().Exec(ctx, `update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2`, accountID, key, a.Status, a.Body); err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

// ForgetIdempotent frees a claimed key whose request came to nothing.
func (s *Store) ForgetIdempotent(ctx context.Context, accountID, key string) error {
	if _, err := s.Pool().Exec(ctx, `delete from idempotency_keys where account_id = $1 and key = $2 and status is null`, accountID, key); err != nil {
		return fmt.Errorf("free idempotency key: %w", err)
	}
	return nil
}

// SweepIdempotent removes keys that are older than 24 hours.
func (s *Store) SweepIdempotent(ctx context.Context) error {
	if _, err := s.Pool().Exec(ctx, `delete from idempotency_keys where created_at < $1`, s.Now().UTC().Add(-idempotencyKept)); err != nil {
		return fmt.Errorf("remove old idempotency keys: %w", err)
	}
	return nil
}
