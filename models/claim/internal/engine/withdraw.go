package engine

import "context"

// Withdraw forgets the answers, kept for repeated requests, that show one of some records which the public lost. Each family
// calls it in the transaction that hides them. It returns the records with those that were merged into them.
func (s *Session) Withdraw(ctx context.Context, hidden []int64) (all []int64, err error) {
	if len(hidden) == 0 {
		return nil, nil
	}
	if err := s.One(ctx, "with_merged", Args{"records": hidden}, &all); err != nil {
		return nil, err
	}
	return all, s.Do(ctx, "forget_answers", Args{"records": all})
}
