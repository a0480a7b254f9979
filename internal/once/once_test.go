package once_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/once"
	"rollcall/models"
)

// memory keeps the answers of one process, as the store keeps them in the database.
type memory struct {
	answers map[string]models.KeptAnswer
	claimed map[string]bool
}

func newMemory() *memory {
	return &memory{answers: map[string]models.KeptAnswer{}, claimed: map[string]bool{}}
}

func (m *memory) BeginIdempotent(_ context.Context, account, key string, _ []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error) {
	if a, ok := m.answers[key]; ok {
		return &a, nil, nil
	}
	if m.claimed[key] {
		return nil, nil, &models.Error{Code: models.CodeConflict, Message: "claimed"}
	}
	m.claimed[key] = true
	return nil, &models.IdempotencyClaim{AccountID: account, Key: key}, nil
}

func (m *memory) FinishIdempotent(_ context.Context, c *models.IdempotencyClaim, a models.KeptAnswer) error {
	m.answers[c.Key] = a
	return nil
}

func (m *memory) ForgetIdempotent(_ context.Context, c *models.IdempotencyClaim) error {
	delete(m.claimed, c.Key)
	return nil
}

// work answers 201 and counts how often it is done.
func work(times *int) once.Work {
	return func(context.Context) (models.KeptAnswer, bool, error) {
		*times++
		return models.KeptAnswer{Status: http.StatusCreated, Body: []byte("made")}, true, nil
	}
}

func TestARepetitionGetsTheFirstAnswerAndIsMarked(t *testing.T) {
	t.Parallel()
	m, times := newMemory(), 0
	for i := range 2 {
		head := http.Header{}
		a, err := once.New(m, "acct_1", "key", []byte("request")).Do(t.Context(), head, work(&times))
		require.NoError(t, err)
		require.Equal(t, models.KeptAnswer{Status: http.StatusCreated, Body: []byte("made")}, a)
		require.Equal(t, i == 1, head.Get("Idempotent-Replayed") == "true")
	}
	require.Equal(t, 1, times)
}

func TestWhatCameToNothingMayBeTriedAgain(t *testing.T) {
	t.Parallel()
	sorry := errors.New("sorry")
	for name, failing := range map[string]once.Work{
		"an error":                       func(context.Context) (models.KeptAnswer, bool, error) { return models.KeptAnswer{}, false, sorry },
		"an error beside an answer":      func(context.Context) (models.KeptAnswer, bool, error) { return models.KeptAnswer{}, true, sorry },
		"an answer that is not kept":     func(context.Context) (models.KeptAnswer, bool, error) { return models.KeptAnswer{}, false, nil },
		"a panic, which goes on upwards": func(context.Context) (models.KeptAnswer, bool, error) { panic(sorry) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, times := newMemory(), 0
			func() {
				defer func() { _ = recover() }()
				_, _ = once.New(m, "acct_1", "key", nil).Do(t.Context(), http.Header{}, failing)
			}()
			_, err := once.New(m, "acct_1", "key", nil).Do(t.Context(), http.Header{}, work(&times))
			require.NoError(t, err)
			require.Equal(t, 1, times)
		})
	}
}

func TestWorkGoesOnWhenTheClientHangsUp(t *testing.T) {
	t.Parallel()
	ctx, hangUp := context.WithCancel(t.Context())
	m := newMemory()
	_, err := once.New(m, "acct_1", "key", nil).Do(ctx, http.Header{}, func(ctx context.Context) (models.KeptAnswer, bool, error) {
		hangUp()
		return models.KeptAnswer{Status: http.StatusOK}, true, ctx.Err()
	})
	require.NoError(t, err)
	require.Contains(t, m.answers, "key")
}

func TestWorkEndsWellBeforeItCountsAsDead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := once.New(newMemory(), "acct_1", "key", nil).Do(t.Context(), http.Header{}, func(ctx context.Context) (models.KeptAnswer, bool, error) {
			<-ctx.Done()
			return models.KeptAnswer{}, false, ctx.Err()
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Less(t, time.Since(begun), models.IdempotencyPatience/2)
	})
}

func TestTheKeyOfARequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys   []string
		caller bool
		want   models.Code // empty: taken
	}{
		"is taken":                             {keys: []string{"a key"}, caller: true},
		"belongs to an account":                {keys: []string{"a key"}, want: models.CodeUnauthorized},
		"is not empty":                         {keys: []string{""}, caller: true, want: models.CodeInvalidParameter},
		"is given once":                        {keys: []string{"a", "b"}, caller: true, want: models.CodeInvalidParameter},
		"is printable ASCII":                   {keys: []string{"clé"}, caller: true, want: models.CodeInvalidParameter},
		"has at most as many bytes as is said": {keys: []string{strings.Repeat("k", 256)}, caller: true, want: models.CodeInvalidParameter},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/v1/alerts", http.NoBody)
			r.Header["Idempotency-Key"] = c.keys
			if c.caller {
				r = r.WithContext(auth.WithCaller(r.Context(), &auth.Caller{Account: &models.Account{ID: "acct_1"}}))
			}
			claim, err := once.Of(r, nil, newMemory())
			if c.want == "" {
				require.NoError(t, err)
				require.NotNil(t, claim)
				return
			}
			require.Equal(t, c.want, models.CodeOf(err))
		})
	}
	claim, err := once.Of(httptest.NewRequest(http.MethodPost, "/v1/alerts", http.NoBody), nil, newMemory())
	require.NoError(t, err)
	require.Nil(t, claim, "a request without a key is done as often as it comes")
}

// An answer that a wide key was given is not repeated to a key that would not have been given it.
func TestAnAnswerIsRepeatedOnlyToCallersWhoMayDoAsMuch(t *testing.T) {
	t.Parallel()
	everything := auth.Caller{Account: &models.Account{ID: "acct_1"}, KeyID: "key_1", Scopes: models.Scopes()}
	another, page, reads, test := everything, everything, everything, everything
	another.KeyID, page.KeyID, page.Scopes = "key_2", "", nil
	reads.Scopes, test.Test = []models.Scope{models.ScopeRead}, true
	of := func(c auth.Caller) []byte {
		r := httptest.NewRequest(http.MethodPost, "/v1/alerts", http.NoBody)
		r.Header.Set("Idempotency-Key", "k")
		var asked requests
		claim, err := once.Of(r.WithContext(auth.WithCaller(r.Context(), &c)), []byte("body"), &asked)
		require.NoError(t, err)
		_, _ = claim.Do(r.Context(), http.Header{}, work(new(int)))
		require.NotEmpty(t, asked.request)
		return asked.request
	}
	require.Equal(t, of(everything), of(another))
	require.Equal(t, of(everything), of(page))
	require.NotEqual(t, of(everything), of(reads))
	require.NotEqual(t, of(everything), of(test))
}

// requests are claims that remember what they were asked for, and grant nothing.
type requests struct {
	memory
	request []byte
}

func (r *requests) BeginIdempotent(_ context.Context, _, _ string, request []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error) {
	r.request = request
	return nil, nil, &models.Error{Code: models.CodeConflict, Message: "claimed"}
}
