"""What several learners share: layouts of networks, openings, duels, genes, features."""
