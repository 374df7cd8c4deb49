import './styles.css';

// The page is there already. React comes after the first paint and takes it over, so that reading never waits for it.
requestAnimationFrame(() => setTimeout(() => void import('./hydrate.tsx')));
