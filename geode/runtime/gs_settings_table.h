/* gs_settings_table.h -- the settings of one stage, field by field.
 * Written by `python -m geode.settings` from geode/settings.py; edit that. */
#ifndef GS_SETTINGS_TABLE_H
#define GS_SETTINGS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum gs_direction { GS_DIRECTION_LOSS, GS_DIRECTION_REWARD };
enum gs_sampling { GS_SAMPLING_INDEPENDENT, GS_SAMPLING_ANTITHETIC };
enum gs_perturbation { GS_PERTURBATION_GAUSSIAN, GS_PERTURBATION_EGGROLL, GS_PERTURBATION_OMELETTE_R1 };
enum gs_sigma_schedule { GS_SIGMA_SCHEDULE_CONSTANT, GS_SIGMA_SCHEDULE_COSINE, GS_SIGMA_SCHEDULE_DECAY };
enum gs_shaping { GS_SHAPING_RANK_SHAPED, GS_SHAPING_RAW, GS_SHAPING_ZSCORE, GS_SHAPING_SIGN, GS_SHAPING_UTILITY };
enum gs_optimizer { GS_OPTIMIZER_SGD, GS_OPTIMIZER_SGDM, GS_OPTIMIZER_RMSPROP, GS_OPTIMIZER_ADAM, GS_OPTIMIZER_MUON };
enum gs_alpha_schedule { GS_ALPHA_SCHEDULE_CONSTANT, GS_ALPHA_SCHEDULE_COSINE, GS_ALPHA_SCHEDULE_DECAY };

struct gs_settings {
    enum gs_direction direction; /* OBJECTIVE: whether scores are minimised or maximised */
    uint64_t epochs; /* EPOCHS: rounds of this stage */
    uint64_t population; /* POPULATION: members in each epoch */
    uint64_t seed; /* SEED: seed of every random stream */
    uint64_t workers; /* WORKERS: threads, 0: one per core */
    enum gs_sampling sampling; /* SAMPLING: members in +/- pairs, or each on its own */
    enum gs_perturbation perturbation; /* PERTURBATION: how members differ from the mean */
    uint64_t rank; /* RANK: rank of EGGROLL's perturbation of a matrix */
    bool bf16; /* BF16: wide layers multiply bfloat16 numbers */
    double sigma; /* SIGMA: standard deviation of the perturbation */
    enum gs_sigma_schedule sigma_schedule; /* SIGMA-SCHEDULE: how sigma changes */
    double sigma_factor; /* SIGMA-FACTOR: factor of SIGMA-DECAY */
    uint64_t noise_reuse; /* NOISE-REUSE: epochs that share one draw of noise */
    enum gs_shaping shaping; /* SCORE: how scores become weights */
    enum gs_optimizer optimizer; /* UPDATES: the optimizer */
    double alpha; /* ALPHA: step size */
    enum gs_alpha_schedule alpha_schedule; /* ALPHA-SCHEDULE: how alpha changes */
    double alpha_factor; /* ALPHA-FACTOR: factor of ALPHA-DECAY */
    double weight_decay; /* WEIGHT-DECAY: decoupled weight decay, times alpha */
    double update_clip; /* UPDATE-CLIP: largest norm of the estimate */
    double sgdm_beta; /* SGDM-BETA!: momentum of SGDM */
    double rmsprop_beta; /* RMSPROP-BETA!: decay of RMSPROP's squares */
    double rmsprop_epsilon; /* RMSPROP-EPSILON!: added to RMSPROP's root */
    double adam_beta1; /* ADAM-BETA1!: decay of ADAM's mean */
    double adam_beta2; /* ADAM-BETA2!: decay of ADAM's squares */
    double adam_epsilon; /* ADAM-EPSILON!: added to ADAM's root */
    double muon_beta; /* MUON-BETA!: momentum of MUON */
    uint64_t muon_warmup; /* MUON-WARMUP!: epochs in which MUON's alpha rises */
    double muon_kappa; /* MUON-KAPPA!: root mean square of MUON's step, times alpha */
    uint64_t muon_steps; /* MUON-STEPS!: Newton-Schulz steps of MUON */
    double stop_below; /* STOP-BELOW: stop when the score is below */
    double stop_above; /* STOP-ABOVE: stop when the score is above */
    uint64_t patience; /* PATIENCE: stop after this long without a new best */
    double time_limit; /* TIME-LIMIT: stop after this long */
    uint64_t loop_limit; /* LOOP-LIMIT: turns after which a loop gives a row up */
    uint64_t evaluate_every; /* EVALUATE-EVERY: score the unperturbed weights this often */
    bool metrics; /* .METRICS: print a line for each epoch */
    uint64_t metrics_every; /* METRICS-EVERY: epochs from one line to the next */
    const char *metrics_file; /* METRICS-FILE: file that gets the metrics as JSON lines */
    const char *save_model; /* SAVE-MODEL: file that gets the weights at the end */
    const char *save_model_all; /* SAVE-MODEL-ALL: file that gets all that an exact resume needs */
    uint64_t save_every; /* SAVE-EVERY: write SAVE-MODEL-ALL's file this often, and at the end */
    const char *resume_model; /* RESUME-MODEL: file to go on from: a state, or weights alone */
};

#endif
